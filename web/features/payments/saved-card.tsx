import { CreditCard } from 'lucide-react'
import type { Card } from '#contract/payments.ts'

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** 'Visa ending in 4242', and until when. */
export function SavedCard({ card: { brand, last4, exp_month, exp_year, is_expired } }: { card: Card }) {
  const expiry = `${String(exp_month).padStart(2, '0')}/${exp_year % 100}`
  return (
    <div className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3">
      <CreditCard className="size-5 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <p>
        {brands[brand] ?? brand} <span className="text-muted">ending in</span> <span className="tabular text-16">{last4}</span>
      </p>
      <p className={is_expired ? 'font-strong text-danger' : 'text-muted'}>
        {is_expired ? 'Expired' : 'Expires'} <span className="tabular text-16">{expiry}</span>
      </p>
    </div>
  )
}
