import { useLocation } from '@tanstack/react-router'
import { placeOf } from '#contract/places.ts'
import { ProviderReauth } from '#web/pages/provider-reauth.tsx'
import { ProviderReturn } from '#web/pages/provider-return.tsx'

export default function BackFromProviderPage() {
  const place = useLocation({ select: ({ pathname }) => placeOf(pathname) })
  return place === 'provider-reauth' ? <ProviderReauth /> : <ProviderReturn />
}
