// What the provider still asks for, in the words of somebody who has to find it in a drawer.

const asks: readonly (readonly [code: RegExp, says: string])[] = [
  [/^external_account/, 'Add the bank account that you want to be paid into.'],
  [/^tos_acceptance/, "Accept the payment provider's terms."],
  [/(^|\.)verification\.additional_document/, 'Upload a proof of address, such as a bank statement or a utility bill.'],
  [/^(individual|person\w*|representative)\..*verification\.document/, 'Upload a photo of your passport or driving licence.'],
  [/^company\.verification\.document/, 'Upload a document that shows your company is registered.'],
  [/\.dob\./, 'Enter your date of birth.'],
  [/^(individual|person\w*|representative)\..*(first_name|last_name)/, 'Enter your full name as it is on your passport.'],
  [/^(individual|person\w*|representative)\..*address/, 'Enter your home address.'],
  [/^(individual|person\w*|representative)\..*(phone|email)/, 'Enter your own telephone number and email address.'],
  [/^(individual|person\w*|representative)\..*id_number/, 'Enter the number that the provider asks for to check who you are.'],
  [/^(individual|person\w*|representative)\./, 'Tell the payment provider who you are.'],
  [/^(owners|directors|executives)/, 'Name the people who own and run the company.'],
  [/^company\.(tax_id|registration_number|vat_id)/, 'Enter your company number.'],
  [/^company\.address/, "Enter your company's registered address."],
  [/^company\./, 'Complete the details of your company.'],
  [/^business_profile\.(url|product_description)/, 'Say what your business sells, or give its website.'],
  [/^business_profile/, 'Say what kind of business you are.'],
  [/^business_type/, 'Choose company or individual.'],
]

/** A code that nobody has heard of yet still gets a sentence that helps. */
export const saysOfRequirement = (code: string): string =>
  asks.find(([pattern]) => pattern.test(code))?.[1] ?? 'Open the payment provider and complete the step that it shows.'

type Requirement = { code: string; is_overdue: boolean }

/** Overdue first; what reads the same is said once. */
export function missingInWords(requirements: readonly Requirement[]): (Requirement & { says: string })[] {
  const said = new Map<string, Requirement & { says: string }>()
  const overdueFirst = [...requirements].sort((one, other) => Number(other.is_overdue) - Number(one.is_overdue))
  for (const requirement of overdueFirst) {
    const says = saysOfRequirement(requirement.code)
    if (!said.has(says)) said.set(says, { ...requirement, says })
  }
  return [...said.values()]
}
