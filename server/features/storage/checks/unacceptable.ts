/** A file that cannot be kept, and why, in words for whoever sent it. */
export class Unacceptable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'Unacceptable'
  }
}
