// What no checklist sees: passwords that everybody tries first.

const everybodysWords = new Set(
  `password passwort passw pass letmein welcome admin administrator login master qwerty qwertyuiop qwert asdfgh asdfghjkl zxcvbn zxcvbnm
  iloveyou monkey dragon football liverpool arsenal chelsea everton rangers celtic manunited manchester tottenham england
  sunshine princess charlie superman batman shadow summer winter spring autumn january february march april june july august
  september october november december monday tuesday wednesday thursday friday saturday sunday abc abcd abcdef abcdefg
  secret changeme default guest test testing testtest user temp temporary hello hellohello london scrap scrapmetal scrapyard
  copper yardbid trustno starwars computer internet freedom whatever michael jordan jessica ashley daniel thomas`.split(/\s+/),
)

const lookalikes: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}
const plain = (text: string) => text.replace(/[0134578@$!|]/g, (sign) => lookalikes[sign] ?? sign)
const lettersInside = (text: string) => text.replace(/^[^a-z]+|[^a-z]+$/g, '')

/** True for 'Password1!', 'P@ssw0rd!' and their like: a common word with the usual figures and signs hung on to it. */
export function isCommonPassword(password: string): boolean {
  const typed = password.normalize('NFKC').toLowerCase()
  const readings = [lettersInside(typed), lettersInside(plain(lettersAndSigns(typed))), plain(lettersInside(typed))]
  return readings.some((word) => everybodysWords.has(word)) || new Set(typed).size <= 3
}

// the figures at the end are hung on ('password2026'), those inside stand for letters ('p4ssw0rd')
const lettersAndSigns = (text: string) => text.replace(/[\d\W_]+$/, '')

/** A password that is the user's own address, or holds the part before the @, protects nothing. */
export function isOwnEmail(password: string, email: string): boolean {
  const typed = password.normalize('NFKC').toLowerCase()
  const address = email.normalize('NFKC').toLowerCase()
  const [name = ''] = address.split('@')
  return typed === address || (name.length >= 5 && lettersInside(typed) === lettersInside(name))
}
