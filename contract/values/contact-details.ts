// RULES §9: phone numbers, emails and links, also in words. Listings refuse them; chat masks the matches. Names refuse links and emails.

export type ContactKind = 'phone' | 'email' | 'link'

/** Where it stands: `text.slice(start, end)`. */
export type ContactDetail = { kind: ContactKind; start: number; end: number }

/** Every contact detail in a text, in the order of the text, none within another. */
export function findContactDetails(text: string): ContactDetail[] {
  const plain = asPlain(text)
  const found = [...matchesOf(plain, emails, 'email'), ...matchesOf(plain, links, 'link'), ...phonesIn(plain)]
  const inOrder = found.toSorted((one, other) => one.start - other.start || other.end - one.end)
  return inOrder.filter((each, nth) => inOrder.slice(0, nth).every(({ end }) => end <= each.start))
}

/** What everybody reads of a listing. */
export const publicTexts = ['title', 'description', 'grade', 'condition'] as const

/** Whether the name of a person or a company carries a link or an email address: our emails greet people by it. */
export function hasLinkInName(name: string): boolean {
  const plain = asPlain(name)
  return [inName, ...spokenEmails, spokenLink].some((pattern) => plain.search(pattern) !== -1)
}

/** As a sentence names them. */
export const contactNames: Record<ContactKind, string> = { phone: 'the phone number', email: 'the email address', link: 'the link' }

/** The reason to refuse a text for what it gives away; undefined for one that gives nothing away. */
export function whyNotPublic(
  text: string,
  whenShown = 'Contact details are shown to buyer and seller when the sale is paid.',
): string | undefined {
  const [first] = findContactDetails(text)
  if (!first) return undefined
  const shown = text.slice(first.start, first.end).trim()
  return `Leave out ${contactNames[first.kind]} “${shown}”. ${whenShown}`
}

/** What stands in place of a contact detail that is not shown yet. */
export const contactMasks: Record<ContactKind, string> = {
  phone: '[phone number hidden]',
  email: '[email address hidden]',
  link: '[link hidden]',
}

/**
 * The texts that one person sent, oldest first, with their contact details masked. A detail may go over several lines, or begin in one
 * text and end in a later one: '07700' and then '900 123' is a phone number too.
 */
export function maskContactDetails(texts: readonly string[]): string[] {
  const found = texts.map((text) => findContactDetails(inOneLine(text)))
  for (const length of RUNS)
    for (let first = 0; first < texts.length - 1; first++) {
      const run = texts.slice(first, first + length)
      detailsAcross(run).forEach((parts, nth) => found[first + nth]?.push(...parts))
    }
  return texts.map((text, nth) => masked(text, found[nth] ?? []))
}

// Short runs find a number among other figures, the long one a number that was sent digit by digit.
const RUNS = [2, 3, 4, 11]
// longer than a phone number with its gaps, or than most addresses
const EDGE = 40

// one character for one, so that the matches stand where they stood
const inOneLine = (text: string) => text.replaceAll(/[\n\t]/g, ' ')

/** By text: the parts of details that begin in one text of the run and end in another. */
function detailsAcross(run: readonly string[]): ContactDetail[][] {
  // of a long text only what stands at its edge can be continued
  const edges = run.map((text, nth) => {
    const from = nth === 0 ? Math.max(0, text.length - EDGE) : 0
    return { from, to: nth === run.length - 1 ? Math.min(text.length, EDGE) : text.length }
  })
  if (run.slice(1, -1).some(({ length }) => length > EDGE)) return []
  const pieces = run.map((text, nth) => inOneLine(text).slice(edges[nth]?.from, edges[nth]?.to))
  const details = findContactDetails(pieces.join(' '))
  let at = 0
  return pieces.map((piece, nth) => {
    const start = at
    const end = start + piece.length
    at = end + 1
    const shift = (edges[nth]?.from ?? 0) - start
    return details
      .filter((detail) => detail.start < end && detail.end > start && (detail.start < start || detail.end > end))
      .map((detail) => ({
        kind: detail.kind,
        start: Math.max(detail.start, start) + shift,
        end: Math.min(detail.end, end) + shift,
      }))
  })
}

function masked(text: string, found: readonly ContactDetail[]): string {
  let shown = ''
  let at = 0
  for (const { kind, start, end } of found.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (start >= at) shown += text.slice(at, start) + contactMasks[kind]
    at = Math.max(at, end)
  }
  return shown + text.slice(at)
}

/** Look-alike letters and digits as plain ones, each in its place, so that the matches stand where they stood. */
const asPlain = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, (character) => {
    const plain = character.normalize('NFKC')
    return plain.length === character.length ? plain : character
  })

// domains that UK merchants have; any other word after a full stop is the next sentence
const domain = 'com|co|uk|net|org|info|biz|eu|ie|io|london|scot|wales|ltd|shop|online|site'
// 'in bags.Net weight 500 kg': a capital begins a sentence
const ending = `(?:${domain}|${domain.toUpperCase()})`
const dot = String.raw`(?:\s*\.\s*|\s*[(\[{]\s*(?:dot|\.)\s*[)\]}]\s*|\s+dot\s+)`
const spokenDot = String.raw`(?:\s*[(\[{]\s*(?:dot|\.)\s*[)\]}]\s*|\s+(?:dot|DOT|Dot)\s+)`
const bracketedAt = String.raw`\s*[(\[{]\s*(?:at|@)\s*[)\]}]\s*`
const spokenAt = String.raw`\s+(?:at|AT|At)\s+`
const spokenEnding = String.raw`${ending}\b(?:${dot}uk\b)?`

// A match begins where a run of its characters begins: tried from every character of a long run, the time would grow with its square.
const mailboxStart = String.raw`(?<![\w.+-])[\w.+-]+`
const wordStart = String.raw`(?<![\w-])`
// 'visit...smith.com' begins at 'smith', 'www.smith.com' at 'www'
const hostStart = String.raw`(?<![\w-]|[\w-]\.)`

const spokenEmails = [
  new RegExp(String.raw`${mailboxStart}${bracketedAt}[\w-]+(?:${dot}[\w-]+)*?${dot}${spokenEnding}`, 'g'),
  // 'more at smithmetals.com' is a link: an address in words says the dot as well
  new RegExp(String.raw`${mailboxStart}${spokenAt}[\w-]+(?:${spokenDot}[\w-]+)*?${spokenDot}${spokenEnding}`, 'g'),
]

const emails = [new RegExp(String.raw`${mailboxStart}\s?@\s?[\w-]+(?:\s?\.\s?[\w-]+)+`, 'g'), ...spokenEmails]

const spokenLink = new RegExp(String.raw`${wordStart}[\w-]{2,}${spokenDot}${ending}\b(?:${spokenDot}uk\b)?`, 'g')

// no sentence begins within a name: there any known domain is a link, but 'Smith & Co.Ltd' is a company
const inName = new RegExp(
  String.raw`https?:|www\.|\/\/|\S@\S|\w\.(?:${domain.replace('|ltd', '')}|me|ly|ru|cn|xyz|top|app|dev|link|test)(?![\w.])`,
  'i',
)

const links = [
  /\bhttps?:\/\/\S+/gi,
  /\bwww\s?\.\s?[\w-]+\S*/gi,
  new RegExp(String.raw`${hostStart}(?:[A-Za-z\d]\.)*[A-Za-z\d][\w-]+(?:\.[\w-]+)*\.${ending}\b(?:\/\S*)?`, 'g'),
  spokenLink,
  // short links and chats
  new RegExp(String.raw`${wordStart}[a-z\d-]+\.(?:me|ly|gl|gle|cc|to|tv)\/\S+`, 'gi'),
]

function matchesOf(text: string, patterns: readonly RegExp[], kind: ContactKind): ContactDetail[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ kind, start: index, end: index + match.trimEnd().length })),
  )
}

const digitWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const digitOf: Record<string, string> = {
  ...Object.fromEntries(digitWords.map((word, digit) => [word, String(digit)])),
  oh: '0',
  o: '0',
  nought: '0',
}
const repeats: Record<string, number> = { double: 2, triple: 3 }

// digits, or their names, with nothing between them but what parts the groups of a number; a comma or a colon parts two numbers
const figures = /(?:\+\s?)?[([]?\d(?:[ \t.\-/()[\]–]{0,3}\d)*/g
const word = `(?:\\d+|${[...digitWords, 'oh', 'o', 'nought', 'double', 'triple'].join('|')})`
const spoken = new RegExp(String.raw`(?:\bplus\s+|\+\s?)?\b${word}(?:[\s,.\-]{1,3}${word})+\b`, 'gi')
// their digits are no part of a phone number
const dates = /\b\d{1,2}([/.-])\d{1,2}\1(?:19|20)\d\d\b|\b(?:19|20)\d\d-\d\d-\d\d\b/g

// 'O77OO 9OO 123': the letter in place of the digit
const letterO = /(?<![a-np-z])o(?=[\do])|(?<=[\do])o(?![a-np-z])/gi

function phonesIn(text: string): ContactDetail[] {
  const undated = text.replace(dates, (date) => 'x'.repeat(date.length)).replaceAll(letterO, '0')
  const found = [
    ...[...undated.matchAll(figures)].filter(({ 0: match, index }) => isPhone(match, undated.slice(Math.max(0, index - 24), index))),
    ...[...undated.matchAll(spoken)].filter(
      ({ 0: match }) => /[a-z]/i.test(match.replace(/^plus/i, '')) && isPhoneNumber(spokenDigits(match)),
    ),
  ]
  return found.map(({ 0: match, index }) => ({ kind: 'phone', start: index, end: index + match.length }))
}

const introduces = /\b(?:call|ring|text|tel|telephone|phone|mob|mobile|cell|whatsapp)\b[^\d\n]{0,12}$/i
const isReference =
  /\b(?:serial|s\/n|sn|part|ref|reference|batch|cert|certificate|licen[cs]e|permit|heat|cast|model|order|lot)\b[^\d\n]{0,10}$/i

/** `before` is what stands in front of it: 'call' makes a phone number of digits that are none by themselves, 'serial' of none one. */
function isPhone(match: string, before: string): boolean {
  const digits = match.replaceAll(/\D/g, '')
  const groups = match.split(/\D+/).filter(Boolean)
  // '0.5 1240 3000' is three weights: who parts the first digit from the rest parts all of them
  if ((groups[0]?.length ?? 0) === 1 && groups.some(({ length }) => length > 2) && !match.includes('+')) return false
  if (introduces.test(before) && digits.length >= 9 && digits.length <= 13) return true
  if (isReference.test(before) && !match.includes('+') && !/^0?7\d{9}$/.test(digits)) return false
  return isPhoneNumber(match.includes('+') ? `+${digits}` : digits)
}

/** A UK number from 0, or any with its country's code. */
const isPhoneNumber = (digits: string) =>
  /^0[1-35789]\d{8,9}$/.test(digits) || /^(?:\+|00)44(?:0?[1-35789])\d{8,9}$/.test(digits) || /^\+[1-9]\d{9,13}$/.test(digits)

function spokenDigits(match: string): string {
  let digits = /^(?:plus|\+)/i.test(match) ? '+' : ''
  let times = 1
  for (const [token] of match.toLowerCase().matchAll(/\d+|[a-z]+/g)) {
    if (token === 'plus') continue
    if (repeats[token]) {
      times = repeats[token]
      continue
    }
    digits += (digitOf[token] ?? token).repeat(times)
    times = 1
  }
  return digits
}
