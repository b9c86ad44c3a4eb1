import type { ReactNode } from 'react'

/** Names and values in lines; a value that is missing is left out. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="max-w-2xl border-b border-line">
      {rows
        .filter(([, value]) => value != null && value !== '')
        .map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-0.5 border-t border-line py-2.5">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
