// Reads the objects of a PDF from its first byte to its last, whatever its table of contents says: what any reader could find is seen.

/** A name is text with a slash in front; numbers, strings, references and the like are null: nothing asks for them. */
export type PdfValue = string | null | PdfValue[] | PdfDictionary
export type PdfDictionary = Map<string, PdfValue>

export type PdfVisitor = {
  dictionary(dictionary: PdfDictionary): void
  /** A dictionary that a stream follows; the content is between these two places. */
  stream(dictionary: PdfDictionary, start: number, end: number): void
  /** Deeper than any program writes, or without an end. */
  broken(): never
}

const MOST_DEEP = 100
const blanks = /[\s\0]*/y
const comment = /%[^\r\n]*/y
const name = /\/[^\s\0()<>[\]{}/%]*/y
const word = /[^\s\0()<>[\]{}/%]+/y
const hexString = /<[\s\0\da-f]*>/iy
const streamStart = /[\s\0]*stream(?:\r\n|\n|\r)/y

export function visitPdf(text: string, visitor: PdfVisitor): void {
  let at = 0

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return undefined
    at = pattern.lastIndex
    return found
  }

  function skipBlanks(): void {
    do match(blanks)
    while (match(comment) !== undefined)
  }

  /** The next value; the closing bracket or keyword that is met instead; nothing at the end. */
  function next(depth: number): { value: PdfValue } | { mark: string } | undefined {
    if (depth > MOST_DEEP) visitor.broken()
    skipBlanks()
    if (at >= text.length) return undefined
    if (text.startsWith('<<', at)) return { value: readDictionary(depth) }
    for (const mark of ['>>', ']', '>', ')', '{', '}']) {
      if (text.startsWith(mark, at)) {
        at += mark.length
        return { mark }
      }
    }
    if (text[at] === '[') return { value: readArray(depth) }
    if (text[at] === '(') {
      skipString()
      return { value: null }
    }
    if (match(hexString) !== undefined) return { value: null }
    const named = match(name)
    if (named !== undefined) return { value: unescapeName(named) }
    const said = match(word)
    // a lone `<`
    if (said === undefined) at += 1
    return said !== undefined && /^[a-z]/i.test(said) && !/^(?:R|true|false|null)$/.test(said) ? { mark: said } : { value: null }
  }

  function readArray(depth: number): PdfValue[] {
    at += 1
    const values: PdfValue[] = []
    for (;;) {
      const item = next(depth + 1)
      if (!item || ('mark' in item && isEnd(item.mark, ']'))) return values
      if ('value' in item) values.push(item.value)
    }
  }

  function readDictionary(depth: number): PdfDictionary {
    at += 2
    const dictionary: PdfDictionary = new Map()
    let key: string | undefined
    for (;;) {
      const item = next(depth + 1)
      if (!item || ('mark' in item && isEnd(item.mark, '>>'))) break
      if ('mark' in item) continue
      if (key === undefined) key = typeof item.value === 'string' ? item.value : undefined
      // `5 0 R` are three values that say nothing: the next name is the next key
      else if (typeof item.value === 'string' || item.value !== null) {
        dictionary.set(key, item.value)
        key = undefined
      } else {
        dictionary.set(key, null)
        key = nextKey()
      }
    }
    if (key !== undefined && !dictionary.has(key)) dictionary.set(key, null)
    visitor.dictionary(dictionary)
    if (match(streamStart) !== undefined) {
      const end = text.indexOf('endstream', at)
      if (end < 0) visitor.broken()
      visitor.stream(dictionary, at, end)
      at = end + 'endstream'.length
    }
    return dictionary
  }

  /** After a number: passes over what belongs to it, up to the next name or the end of the dictionary. */
  function nextKey(): string | undefined {
    for (;;) {
      skipBlanks()
      const named = match(name)
      if (named !== undefined) return unescapeName(named)
      if (match(word) === undefined) return undefined
    }
  }

  function skipString(): void {
    for (let open = 0; at < text.length; at++) {
      const letter = text[at]
      if (letter === '\\') at += 1
      else if (letter === '(') open += 1
      else if (letter === ')' && (open -= 1) === 0) {
        at += 1
        return
      }
    }
    visitor.broken()
  }

  while (next(0));
}

// an object that ends in the middle of a dictionary ends the dictionary too
const isEnd = (mark: string, own: string) => mark === own || mark === 'endobj' || mark === 'obj'

/** `/J#61vaScript` is another way to write `/JavaScript`. */
const unescapeName = (text: string) => text.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
