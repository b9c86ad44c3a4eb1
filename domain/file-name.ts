const LONGEST = 100

// what Windows keeps for devices: a download by such a name cannot be saved there
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * A name to show and to download by, whatever was sent: no folders, nothing invisible, nothing that a file system or a
 * header reads as its own, and the ending of what the file really is.
 */
export function displayName(given: string, extension: string): string {
  const base = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const stem = base
    .replace(/\.[^.]{1,5}$/, '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[<>:"|?*%;]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const short = [...stem].slice(0, LONGEST).join('').trim()
  const safe = device.test(short.split('.')[0] ?? '') ? `_${short}` : short
  return `${safe || 'file'}.${extension}`
}
