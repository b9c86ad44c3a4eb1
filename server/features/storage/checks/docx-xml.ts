// The XML that Word writes: elements, attributes and text, in UTF-8. Whatever else XML could be is not read, and so not accepted.

export type XmlPart = {
  /** Without its prefix: `w:instrText` is `instrText`. */
  tag(name: string, attributes: ReadonlyMap<string, string>): void
  /** Between two tags. */
  text(text: string): void
}

const attribute = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/gy
const tagName = /<([^\s<>/!?="']+)/y
const tagEnd = /\s*\/?>/y
const closing = /<\/[^<>]*>/y
// in these order a declaration, a comment and a piece of raw text
const other = /<\?xml(?:-\w+)?\s[^<>]*\?>|<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>/y

/** False for what is not XML of this plain kind. */
export function readXml(bytes: Buffer, part: XmlPart): boolean {
  const xml = bytes.toString('utf8').replace(/^\uFEFF/, '')
  // another encoding would say something else to Word than to us
  if (xml.includes('\0') || /^<\?xml[^>]*encoding\s*=\s*["'](?!utf-8["'])/i.test(xml)) return false
  for (let at = 0; at < xml.length;) {
    const open = xml.indexOf('<', at)
    part.text(unescape(xml.slice(at, open < 0 ? xml.length : open)))
    if (open < 0) return true
    const end = readMarkup(xml, open, part)
    if (end === undefined) return false
    at = end
  }
  return true
}

/** Where the tag, comment or declaration at this place ends. */
function readMarkup(xml: string, at: number, part: XmlPart): number | undefined {
  for (const pattern of [closing, other]) {
    pattern.lastIndex = at
    const found = pattern.exec(xml)
    if (found?.[1]) part.text(found[1])
    if (found) return pattern.lastIndex
  }
  tagName.lastIndex = at
  const name = tagName.exec(xml)?.[1]
  if (name === undefined) return undefined
  const attributes = new Map<string, string>()
  let end = tagName.lastIndex
  attribute.lastIndex = end
  for (let found = attribute.exec(xml); found; found = attribute.exec(xml)) {
    attributes.set(localName(found[1] ?? ''), unescape(found[2] ?? found[3] ?? ''))
    end = attribute.lastIndex
  }
  tagEnd.lastIndex = end
  if (!tagEnd.test(xml)) return undefined
  part.tag(localName(name), attributes)
  return tagEnd.lastIndex
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescape = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
