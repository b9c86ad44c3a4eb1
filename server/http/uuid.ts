/** Ids in addresses are looked at before the database is: what is none is not there, rather than a fault of its parser. */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
