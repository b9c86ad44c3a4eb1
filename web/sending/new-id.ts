/** A random id. `crypto.randomUUID` is missing over plain http under any other name than localhost. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
