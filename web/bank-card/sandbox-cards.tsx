const cards = [
  ['4242 4242 4242 4242', 'is accepted'],
  ['4000 0025 0000 3155', 'asks you to authenticate'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 9995', 'has insufficient funds'],
  ['4000 0000 0000 0069', 'has expired'],
] as const

/** No real card belongs into the sandbox: which numbers do. */
export function SandboxCards() {
  return (
    <details className="group text-muted">
      <summary className="flex min-h-11 flex-wrap items-center gap-x-2 -outline-offset-2">
        <span>
          Sandbox: no money moves. Use <span className="tabular text-16 whitespace-nowrap text-ink">4242 4242 4242 4242</span>, any date to
          come, any CVC.
        </span>
        <span className="link group-open:hidden">Other test cards</span>
      </summary>
      <dl className="mt-2 border-b border-line">
        {cards.map(([number, does]) => (
          <div key={number} className="flex flex-wrap justify-between gap-x-6 border-t border-line py-2">
            <dt className="tabular text-16 text-ink">{number}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
