/** Every sentence that says 'contact us' says where: refusals and emails pass through here on their way out. */
export const withContact = (text: string, supportEmail: string): string =>
  text.replaceAll(/\bcontact us\b(?! at )/gi, (words) => `${words} at ${supportEmail}`)
