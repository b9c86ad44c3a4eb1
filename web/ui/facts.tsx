import { useId, type ReactNode } from 'react'

type Props = { title?: string; rows: readonly (readonly [name: string, value: ReactNode])[] }

/** Names and values in lines; a value that is missing is left out. */
export function Facts({ title, rows }: Props) {
  const id = useId()
  const lines = (
    <dl className={title ? 'border-y border-line' : undefined}>
      {rows
        .filter(([, value]) => value != null && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-6 border-t border-line py-3 first:border-t-0">
            <dt className="text-muted">{name}</dt>
            <dd className="ml-auto min-w-0 text-right wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  )
  if (!title) return lines
  return (
    <section aria-labelledby={id} className="grid content-start gap-3">
      <h2 id={id} className="text-16">
        {title}
      </h2>
      {lines}
    </section>
  )
}
