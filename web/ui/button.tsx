import type { ComponentProps } from 'react'
import { Spinner } from '#web/ui/spinner.tsx'

const kinds = {
  primary: 'bg-primary-fill text-on-primary hover:bg-primary-fill-hover',
  plain: 'border border-control bg-surface text-ink hover:bg-sunken',
  danger: 'bg-danger-fill text-on-danger hover:brightness-110',
  quiet: 'text-ink hover:bg-sunken',
  copper: 'bg-on-steel-copper text-steel hover:bg-on-steel',
  steel: 'border border-on-steel-muted text-on-steel hover:bg-on-steel/10',
} as const

export type ButtonKind = keyof typeof kinds

/** For links that look like buttons too. */
export const buttonLook = (kind: ButtonKind = 'primary', more = ''): string =>
  `inline-flex min-h-11 items-center justify-center gap-2 rounded-base px-4 text-center text-14 font-strong transition-colors duration-100 ${kinds[kind]} ${more}`

type Props = ComponentProps<'button'> & { kind?: ButtonKind; isLoading?: boolean }

export function Button({ kind, isLoading = false, disabled, className = '', type = 'button', children, ...rest }: Props) {
  return (
    <button
      type={type}
      disabled={disabled || isLoading}
      aria-busy={isLoading || undefined}
      className={buttonLook(kind, `relative disabled:opacity-60 ${className}`)}
      {...rest}
    >
      {isLoading && <Spinner className="absolute size-5" />}
      <span className={`inline-flex items-center gap-2 ${isLoading ? 'opacity-0' : ''}`}>{children}</span>
    </button>
  )
}
