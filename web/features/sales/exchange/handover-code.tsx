import { encode } from 'uqr'

/** For the buyer to show in the yard: six digits to read out, and the same as a QR code. */
export function HandoverCode({ code }: { code: string }) {
  return (
    <section aria-labelledby="handover-code" className="grid gap-3 rounded-base border border-copper bg-primary-soft p-4">
      <div>
        <h3 id="handover-code" className="text-16">
          Your handover code
        </h3>
        <p className="text-muted">Show it only when the goods are on your vehicle: with it the seller records that you have them.</p>
      </div>
      <div className="flex flex-wrap items-center justify-center gap-4">
        <p className="flex min-w-0 flex-auto justify-center gap-1.5" role="img" aria-label={`Code: ${[...code].join(' ')}`}>
          {[...code].map((digit, nth) => (
            <span
              key={nth}
              className={`tabular grid h-16 w-11 min-w-0 place-items-center rounded-base border border-control bg-surface text-40 font-strong ${nth === 3 ? 'ml-2' : ''}`}
            >
              {digit}
            </span>
          ))}
        </p>
        <QrCode text={code} />
      </div>
    </section>
  )
}

const QUIET_MODULES = 4

/** Dark on light by day and by night: a scanner reads nothing else. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_MODULES })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="The same code as a QR code"
      shapeRendering="crispEdges"
      className="size-40 rounded-base bg-on-steel"
    >
      <path d={dark.join('')} className="fill-steel" />
    </svg>
  )
}
