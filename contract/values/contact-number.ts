/**
 * Without spaces, dashes, dots and brackets, as it is counted and stored; '+44 (0)114 …' loses the nought that is dialled in the UK
 * alone. Shared by the field of the contract and the rule of the form, which loads no schemas.
 */
export const bareContactNumber = (typed: string): string =>
  typed
    .trim()
    .replace(/^(\+\d+\s*)\(0\)/, '$1')
    .replaceAll(/[\s().\u2010-\u2015-]/g, '')
