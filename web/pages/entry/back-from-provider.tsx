import { useState } from 'react'
import { placeOf } from '#contract/values/places.ts'
import { ProviderReauth } from '#web/pages/entry/provider-reauth.tsx'
import { ProviderReturn } from '#web/pages/entry/provider-return.tsx'

export default function BackFromProviderPage() {
  // as it was reached: on the way out the address is already that of the next page
  const [place] = useState(() => placeOf(location.pathname))
  return place === 'provider-reauth' ? <ProviderReauth /> : <ProviderReturn />
}
