import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

const SHOWN_MS = 2_000

/** Copies a value, and says so. Over plain http browsers lend no clipboard: then the value is there to be selected by hand. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    )
  if (!('clipboard' in navigator)) return null
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={`Copy ${name}`}
      className="inline-flex min-h-11 min-w-24 items-center justify-center gap-2 rounded-base border border-control px-3 font-strong hover:bg-sunken"
    >
      <Icon className={`size-4 ${isCopied ? 'text-success' : ''}`} aria-hidden="true" />
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </button>
  )
}
