import type { StripeElementStyle } from '@stripe/stripe-js'

/** Stripe's field lives in a frame of its own, which knows none of our tokens: it is handed their values. */
export function cardStyle(beside: HTMLElement): StripeElementStyle {
  const colour = (token: string) => colourOf(beside, `var(--color-${token})`)
  return {
    base: {
      color: colour('ink'),
      fontFamily: 'Inter, ui-sans-serif, system-ui, sans-serif',
      fontSize: '16px',
      iconColor: colour('muted'),
      '::placeholder': { color: colour('muted') },
    },
    invalid: { color: colour('danger'), iconColor: colour('danger') },
  }
}

/** As red, green and blue, which is all that the frame is sure to read. */
function colourOf(beside: HTMLElement, value: string): string {
  const probe = beside.appendChild(document.createElement('span'))
  probe.style.color = value
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (brush) {
    brush.fillStyle = getComputedStyle(probe).color
    brush.fillRect(0, 0, 1, 1)
  }
  probe.remove()
  const [red = 0, green = 0, blue = 0] = brush?.getImageData(0, 0, 1, 1).data ?? []
  return `rgb(${red}, ${green}, ${blue})`
}
