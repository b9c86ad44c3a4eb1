import type { Listing } from '#contract/listings.ts'

const looks = {
  primary: 'bg-primary-soft text-primary',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
} as const

/** SPEC §4: the server says the words and the colour. */
export function StatusLabel({ status: { label, theme } }: { status: Listing['status'] }) {
  return <span className={`inline-block rounded-base px-2 py-1 text-12 font-strong ${looks[theme]}`}>{label}</span>
}
