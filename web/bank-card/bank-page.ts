import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useConfig } from '#web/api/config.ts'
import { sayError } from '#web/api/notices.ts'
import { lookAgain } from '#web/bank-card/sandbox-provider.ts'

// The bank's page comes back to the page that it was left from, with the intent in the address: which form it was is ours to note.
const FORM = 'card'
const theirs = ['payment_intent', 'payment_intent_client_secret', 'setup_intent', 'setup_intent_client_secret', 'redirect_status']

/** Goes to a page of the provider. Whoever comes back with the browser's own button finds the page as it was left: `onBack`. */
export function leaveFor(url: string, onBack: () => void): void {
  window.addEventListener('pageshow', (event) => event.persisted && onBack(), { once: true })
  location.assign(url)
}

export function returnAddress(name: string): string {
  const url = withoutReturn()
  url.searchParams.set(FORM, name)
  return url.href
}

/** The secret of the intent that somebody comes back with to the form of this name. */
export function secretReturnedTo(name: string): string | undefined {
  const { searchParams } = new URL(location.href)
  if (searchParams.get(FORM) !== name) return undefined
  return searchParams.get('payment_intent_client_secret') ?? searchParams.get('setup_intent_client_secret') ?? undefined
}

type ReturnedCard = { isChecking: boolean; secret: string | undefined; refusal: string | undefined }

/** Looks, once, at what the bank said of a card, and goes on where it was confirmed. */
export function useReturnedCard(name: string, onConfirmed: (paymentMethod: string | null) => Promise<void>): ReturnedCard {
  const router = useRouter()
  const stripe = useConfig()?.stripe
  const [secret] = useState(() => secretReturnedTo(name))
  const [isChecking, setIsChecking] = useState(secret !== undefined)
  const [refusal, setRefusal] = useState<string>()
  const isSeen = useRef(false)

  useEffect(() => {
    if (!secret || !stripe?.api_base || isSeen.current) return
    isSeen.current = true
    const { publishable_key, api_base } = stripe
    const look = async () => {
      const outcome = await lookAgain({ publishable_key, api_base }, secret)
      const { pathname, searchParams, hash } = withoutReturn()
      await router.navigate({
        to: pathname,
        search: Object.fromEntries(searchParams),
        hash: hash.slice(1),
        replace: true,
        resetScroll: false,
      })
      if (outcome.end === 'authenticate') return leaveFor(outcome.url, () => setIsChecking(false))
      if (outcome.end === 'confirmed') await onConfirmed(outcome.paymentMethod)
      else setRefusal(outcome.message)
      setIsChecking(false)
    }
    look().catch((error: unknown) => {
      setIsChecking(false)
      sayError(error)
    })
  }, [secret, stripe, router, onConfirmed])

  // Stripe's own field asks above the page: nobody comes back to it
  return { isChecking: isChecking && stripe?.api_base !== null, secret, refusal }
}

function withoutReturn(): URL {
  const url = new URL(location.href)
  for (const name of [FORM, ...theirs]) url.searchParams.delete(name)
  return url
}
