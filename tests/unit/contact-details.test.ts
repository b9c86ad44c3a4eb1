import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactTexts } from '#tests/support/hostile-texts.ts'
import { findContactDetails, hasLinkInName, maskContactDetails, whyNotPublic, type ContactKind } from '#contract/values/contact-details.ts'

const accepted = [
  'Bright copper wire, 1,240 kg, clean and dry',
  'No.1 copper, 2024, grade 316',
  '£4,200.00 the lot, or £5,225.00 / t',
  'EWC 17 04 01, 17 04 02 and 16 01 04*',
  'EWC 02 01 10 / 02 01 99',
  'Serial 4471-0098-2231, made 1998',
  'Serial no. 0345 221 0889',
  'Part 0161-496-0000',
  'Barcode 5012345678900',
  'Weighed 0.5 1240 3000 kg',
  'Loads of 12 500 kg, 13 200 kg and 9 800 kg',
  'Weighed on 01/02/2026 10 t, on 05.11.2026 1030 kg',
  'Collection 08:00 to 16:30, Monday to Friday',
  'The yard is at Leeds. Come with a crane.',
  'Look at it. Net weight 500 kg, in bags.Net weight is on the ticket.',
  'Two one-tonne bags, three 205-litre drums, four or five pallets',
  '3/4 inch, 1.5 mm, 2 x 4 m, 90/10 copper nickel, CW614N',
  'Drawn to BS EN 12163. Certificates e.g. 3.1 on request.',
  'VAT GB123456789, licence 12/0044/AB',
  'Ten at 500 kg, priced @ £500 each',
  'M1 4BT, S9 3TY',
]

const refused: [ContactKind, string, string][] = [
  ['phone', 'Call 0114 234 5678 today', '0114 234 5678'],
  ['phone', 'call:07700900123', '07700900123'],
  ['phone', '07700.900.123', '07700.900.123'],
  ['phone', '0 7 7 0 0 9 0 0 1 2 3', '0 7 7 0 0 9 0 0 1 2 3'],
  ['phone', '07 70 09 00 12 3', '07 70 09 00 12 3'],
  ['phone', '(0114) 234-5678', '(0114) 234-5678'],
  ['phone', '+44 (0)7700 900123', '+44 (0)7700 900123'],
  ['phone', '0044 7700 900 123', '0044 7700 900 123'],
  ['phone', '+353 1 234 5678', '+353 1 234 5678'],
  ['phone', 'WhatsApp 7700 900123', '7700 900123'],
  ['phone', 'ref 07700900123', '07700900123'],
  ['phone', '０７７００ ９００１２３', '０７７００ ９００１２３'],
  ['phone', 'oh seven seven double oh nine double oh one two three', 'oh seven seven double oh nine double oh one two three'],
  ['phone', 'Zero seven seven zero zero, 900 one two three', 'Zero seven seven zero zero, 900 one two three'],
  ['email', 'Write to jo@smithmetals.co.uk.', 'jo@smithmetals.co.uk'],
  ['email', 'jo @ smithmetals . com', 'jo @ smithmetals . com'],
  ['email', 'jo at smithmetals dot co dot uk', 'jo at smithmetals dot co dot uk'],
  ['email', 'jo (at) smithmetals (dot) com', 'jo (at) smithmetals (dot) com'],
  ['email', 'jo [at] smithmetals.com', 'jo [at] smithmetals.com'],
  ['link', 'See https://example.test/lot?id=1 for more', 'https://example.test/lot?id=1'],
  ['link', 'www.smithmetals.example', 'www.smithmetals.example'],
  ['link', 'More at SmithMetals.co.uk/copper', 'SmithMetals.co.uk/copper'],
  ['link', 'smithmetals dot com', 'smithmetals dot com'],
  ['link', 'wa.me/447700900123', 'wa.me/447700900123'],
]

for (const text of accepted) {
  test(`contact details: ‘${text}’ gives nothing away`, () => {
    assert.deepEqual(
      findContactDetails(text).map(({ start, end }) => text.slice(start, end)),
      [],
    )
    assert.equal(whyNotPublic(text), undefined)
  })
}

for (const [kind, text, match] of refused) {
  test(`contact details: ‘${text}’ has a ${kind}`, () => {
    const [found] = findContactDetails(text)
    // an address in words is read as an email, or as the link in it
    const where = found && text.slice(found.start, found.end)
    assert.deepEqual([found?.kind, where], [kind, match])
    assert.match(whyNotPublic(text) ?? '', new RegExp('^Leave out the (phone number|email address|link) “'))
  })
}

test('contact details: several in one text are found in order, each once', () => {
  const text = 'Ring 0114 234 5678 or jo@smithmetals.com, see www.smithmetals.com'
  assert.deepEqual(
    findContactDetails(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]),
    [
      ['phone', '0114 234 5678'],
      ['email', 'jo@smithmetals.com'],
      ['link', 'www.smithmetals.com'],
    ],
  )
})

test('contact details: a long text without any is read in linear time', () => {
  for (const text of ['a at '.repeat(1_000), '0 '.repeat(2_500), 'one '.repeat(1_250), 'a.'.repeat(2_500), '('.repeat(5_000)])
    assert.equal(findContactDetails(text).length, 0)
})

for (const name of [
  'O’Brien & Sons',
  'J.R.',
  'Smith & Co.Ltd',
  'ABC CO.LTD',
  'St. John Metals',
  'Brown & Co. UK',
  'A1 Metals (Leeds)',
  'R. D. Topham',
])
  test(`22: the name ${name} is taken`, () => assert.equal(hasLinkInName(name), false))

for (const name of [
  'Win at http://evil.test',
  'cheap.xyz',
  'Evil.Com',
  'jo@yard.uk',
  'jo (at) yard (dot) co (dot) uk',
  'smithmetals dot com',
  'ｅｖｉｌ．ｃｏｍ',
])
  test(`22: the name ${name} is refused for its link`, () => assert.equal(hasLinkInName(name), true))

const masked: [sent: string[], shown: string[]][] = [
  [['Call 07700 900 123 now'], ['Call [phone number hidden] now']],
  [['O77OO 9OO 123'], ['[phone number hidden]']],
  [['07700\n900123'], ['[phone number hidden]']],
  [
    ['07700', '900', '123 ok'],
    ['[phone number hidden]', '[phone number hidden]', '[phone number hidden] ok'],
  ],
  [
    ['3 tonnes', '450', '07700', '900123'],
    ['3 tonnes', '450', '[phone number hidden]', '[phone number hidden]'],
  ],
  ['07700900123'.split(''), Array.from('07700900123', () => '[phone number hidden]')],
  [
    ['Write to jo@', 'smith.co.uk please'],
    ['Write to [email address hidden]', '[link hidden] please'],
  ],
  [
    ['oh seven seven double oh', 'nine oh oh one two three'],
    ['[phone number hidden]', '[phone number hidden]'],
  ],
  [
    ['The first 0.5 t', '1,240 kg', 'and 3,000 more'],
    ['The first 0.5 t', '1,240 kg', 'and 3,000 more'],
  ],
  [['x.smith.co.uk and ...smith.co.uk'], ['[link hidden] and ...[link hidden]']],
]
for (const [sent, shown] of masked)
  test(`22: of ${JSON.stringify(sent)} is shown ${JSON.stringify(shown)}`, () => assert.deepEqual(maskContactDetails(sent), shown))

test('22: the work for a hostile text grows with its length, not with its square', () => {
  // what one character more costs, by the number of places at which a pattern can begin: 64 kB would take minutes otherwise
  for (const unit of ['a', 'a.', 'a-', '0 ', 'one ', 'a@', 'www.', 'x.co.', 'a dot ', '(at)', '+', 'http://'])
    assert.ok(findContactDetails(unit.repeat(Math.floor(64_000 / unit.length))).length <= 64_000)
})

test('22: a phone number, an email address or a link is found however it is written, and nothing of it is left', () => {
  for (const text of contactTexts)
    assert.match(maskContactDetails([text])[0] ?? '', /^[^\d@]*\[(?:phone number|email address|link) hidden\][^\d@]*$/, text)
})
