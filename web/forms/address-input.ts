import type { FoundAddress } from '#contract/location.ts'

/** What a form asks of an address field; pages bring the one of the location feature. */
export type AddressInput = {
  name: string
  label: string
  value: FoundAddress | null
  onChange: (address: FoundAddress | null) => void
  error?: string | undefined
}
