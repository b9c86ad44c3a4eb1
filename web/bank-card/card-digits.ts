// What is typed into a card form, as it is printed on the card. Pure, so that the caret stays where the typing is.

const NUMBER_MAX = 19
const AMEX_MAX = 15

export const digitsIn = (text: string): string => text.replaceAll(/\D/g, '')

/** '4242 4242 4242 4242'; American Express prints 4, 6 and 5. */
export function groupNumber(text: string): string {
  const isAmex = /^3[47]/.test(digitsIn(text))
  const digits = digitsIn(text).slice(0, isAmex ? AMEX_MAX : NUMBER_MAX)
  return (isAmex ? digits.replace(/^(\d{4})(\d{1,6})?(\d+)?/, '$1 $2 $3') : digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')).trim()
}

/** '12 / 30': a first digit above 1 is a month of its own, and what a phone fills in as 12/2030 is the same. */
export function groupExpiry(text: string): string {
  const typed = digitsIn(text)
  const padded = /^[2-9]/.test(typed) ? `0${typed}` : typed
  const year = padded.slice(2)
  const short = year.length === 4 ? year.slice(2) : year.slice(0, 2)
  return padded.length > 2 ? `${padded.slice(0, 2)} / ${short}` : padded
}

/** The month and the year of '12 / 30', or nothing while it is not complete. */
export function expiryOf(text: string): { exp_month: string; exp_year: string } | undefined {
  const [, exp_month, year] = /^(\d{2}) \/ (\d{2})$/.exec(groupExpiry(text)) ?? []
  return exp_month && year ? { exp_month, exp_year: `20${year}` } : undefined
}

/** Where the caret stands after that many digits of a text. */
export function placeAfter(text: string, digits: number): number {
  let seen = 0
  for (let at = 0; at < text.length; at++) {
    if (seen === digits) return at
    if (/\d/.test(text[at] ?? '')) seen++
  }
  return text.length
}
