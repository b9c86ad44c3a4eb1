type Limits = { decimals: number; isSigned: boolean }

/**
 * What a number field shows of what was typed or pasted: plain digits. Money as people write it is understood ('£4,200.00',
 * '4,200', '4 200', '£5,225.00 / t', spaces around it); commas and spaces only where they part thousands, so that '4,20' never becomes 420. More
 * decimals than allowed may stand until the blur rounds them. Undefined for anything else.
 */
export function readNumberText(text: string, { decimals, isSigned }: Limits): string | undefined {
  const bare = text
    .trim()
    .replace(/^(-?)£\s*/, '$1')
    .replace(/\s*\/\s*t$/, '')
  const plain = /^-?\d{1,3}(?:(?:,\d{3})+|(?:\s\d{3})+)(?:\.\d*)?$/.test(bare) ? bare.replaceAll(/[,\s]/g, '') : bare
  // '1,240.00' is a whole number, '1,240.5' is none
  const whole = decimals === 0 ? plain.replace(/\.0+$/, '') : plain
  if (!(isSigned ? /^-?\d*\.?\d*$/ : /^\d*\.?\d*$/).test(whole)) return undefined
  return decimals === 0 && whole.includes('.') ? undefined : whole
}
