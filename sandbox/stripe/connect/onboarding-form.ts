import type { Form } from '#sandbox/stripe/http/form.ts'
import type { Answers } from '#sandbox/stripe/connect/onboarding.ts'
import { escapeHtml } from '#server/providers/letter.ts'

type Shown = { answers: Answers; due: string[]; needsDocument: boolean; problem?: string | undefined }
type Field = { name: string; label: string; hint?: string; type?: string; autocomplete?: string }

const business: Field[] = [
  { name: 'product_description', label: 'What do you sell?' },
  { name: 'company_name', label: 'Company name', hint: 'Companies only' },
  { name: 'company_tax_id', label: 'Company number', hint: 'Companies only. 00000000 is accepted in test mode' },
]
const person: Field[] = [
  { name: 'first_name', label: 'First name', autocomplete: 'given-name' },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name' },
  { name: 'dob', label: 'Date of birth', type: 'date', autocomplete: 'bday' },
  { name: 'email', label: 'Email', type: 'email', autocomplete: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel', autocomplete: 'tel' },
  { name: 'line1', label: 'Address', autocomplete: 'address-line1' },
  { name: 'city', label: 'Town', autocomplete: 'address-level2' },
  { name: 'postal_code', label: 'Postcode', autocomplete: 'postal-code' },
]
const bank: Field[] = [
  { name: 'sort_code', label: 'Sort code', hint: '108800 is the test bank' },
  { name: 'account_number', label: 'Account number', hint: '00012345 is a test account' },
]

/** What is asked, with what is known already filled in. */
export function connectForm({ answers, due, needsDocument, problem }: Shown): string {
  const known = shownValues(answers)
  const needed = [...new Set(due.map(inWords))]
  const input = ({ name, label, hint, type = 'text', autocomplete = 'off' }: Field) =>
    `<label>${label}${hint ? `<small>${hint}</small>` : ''}<input name="${name}" type="${type}" autocomplete="${autocomplete}" value="${escapeHtml(known[name] ?? '')}"></label>`
  const option = (value: string, label: string) =>
    `<option value="${value}"${answers['business_type'] === value ? ' selected' : ''}>${label}</option>`
  const tick = (name: string, label: string, isTicked: boolean) =>
    `<label class="tick"><input type="checkbox" name="${name}" value="1"${isTicked ? ' checked' : ''}>${label}</label>`
  return `<p>We need a few details before money can be paid out to you.</p>
    ${problem ? `<p class="bad" role="alert">${escapeHtml(problem)}</p>` : ''}
    ${needed.length > 0 ? `<details${problem ? ' open' : ''}><summary>Still needed: ${needed.length}</summary><ul>${needed.map((words) => `<li>${escapeHtml(words)}</li>`).join('')}</ul></details>` : ''}
    <form method="post" novalidate>
    ${needsDocument ? `<h2>Proof of identity</h2><p>Your details could not be verified. Show a passport or driving licence.</p>${tick('document', 'Send a test document', false)}` : ''}
    <h2>Your business</h2>
    <label>Type of business<select name="business_type">${option('', 'Choose')}${option('individual', 'Sole trader')}${option('company', 'Company')}</select></label>
    ${business.map(input).join('')}
    <h2>About you</h2>${person.map(input).join('')}
    <h2>Bank account</h2>${bank.map(input).join('')}
    ${tick('tos', "I accept the payment provider's terms", Boolean(answers['tos_acceptance.date']))}
    <button name="action" value="finish">Finish</button>
    <button name="action" value="test" class="other">Finish with test details</button>
    <button name="action" value="later" class="other">Save and finish later</button>
    <button name="action" value="refuse" class="other">Submit, but fail verification (test)</button>
    </form>`
}

export function readAnswers(form: Form): Answers {
  const type = form.text('business_type')
  const who = type === 'individual' ? 'individual' : 'representative'
  const [year, month, dayOfMonth] = form.text('dob')?.split('-') ?? []
  const sortCode = form.text('sort_code')?.replaceAll(/\D/g, '')
  const number = form.text('account_number')?.replaceAll(/\D/g, '')
  const address = ['line1', 'city', 'postal_code'].map((name) => [name, form.text(name)] as const)
  const tos = form.text('tos')
  const given = {
    business_type: type,
    'business_profile.product_description': form.text('product_description'),
    ...Object.fromEntries(['first_name', 'last_name', 'email', 'phone'].map((name) => [`${who}.${name}`, form.text(name)])),
    [`${who}.dob.day`]: dayOfMonth,
    [`${who}.dob.month`]: month,
    [`${who}.dob.year`]: year,
    ...Object.fromEntries(address.map(([name, value]) => [`${who}.address.${name}`, value])),
    ...(type === 'company' && Object.fromEntries(address.map(([name, value]) => [`company.address.${name}`, value]))),
    'company.name': form.text('company_name'),
    'company.tax_id': form.text('company_tax_id'),
    external_account: sortCode && number ? `${sortCode} ${number}` : undefined,
    'tos_acceptance.date': tos,
    'tos_acceptance.ip': tos,
  }
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function shownValues(answers: Answers): Answers {
  const of = (name: string) => answers[`individual.${name}`] ?? answers[`representative.${name}`] ?? ''
  const [sort_code = '', account_number = ''] = answers['external_account']?.split(' ') ?? []
  const two = (text: string) => text.padStart(2, '0')
  return {
    product_description: answers['business_profile.product_description'] ?? '',
    company_name: answers['company.name'] ?? '',
    company_tax_id: answers['company.tax_id'] ?? '',
    first_name: of('first_name'),
    last_name: of('last_name'),
    dob: of('dob.year') && `${of('dob.year')}-${two(of('dob.month'))}-${two(of('dob.day'))}`,
    email: of('email'),
    phone: of('phone'),
    line1: of('address.line1'),
    city: of('address.city'),
    postal_code: of('address.postal_code'),
    sort_code,
    account_number,
  }
}

const WORDS: Record<string, string> = {
  external_account: 'Bank account',
  'dob.day': 'Date of birth',
  'dob.month': 'Date of birth',
  'dob.year': 'Date of birth',
  'address.line1': 'Address',
  'address.city': 'Town',
  'address.postal_code': 'Postcode',
  'business_profile.product_description': 'What you sell',
  'tos_acceptance.date': "The provider's terms",
  'tos_acceptance.ip': "The provider's terms",
  'individual.verification.document': 'Proof of identity',
}

function inWords(name: string): string {
  const short = name.replace(/^(individual|representative)\./, '')
  const text = WORDS[name] ?? WORDS[short] ?? short.replaceAll(/[._]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
