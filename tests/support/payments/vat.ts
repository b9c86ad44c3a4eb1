/** What a user's columns say of a number that the sandbox's register does not know, and of one that it knows. */
export const failedVat = { vat_number: 'GB123456700', vat_status: 'failed' }
export const validVat = { vat_number: 'GB987654321', vat_status: 'valid' }
