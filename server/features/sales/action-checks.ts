import { vatNumber } from '#contract/fields.ts'
import type { Check } from '#domain/sales/listing-machine-step.ts'
import { whyNotPublic } from '#domain/contact-details.ts'
import { formatPence } from '#domain/format.ts'
import { owed, type Owed } from '#domain/money.ts'
import type { ActionInput } from '#server/features/sales/action-fields.ts'
import type { Life } from '#server/features/sales/facts.ts'
import type { LifeRow } from '#server/features/sales/life-rows.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { refuseField } from '#server/http/errors.ts'

/** What the buyer owes at the award's price; nothing without an award. */
export function amountsOf(row: LifeRow, vatRate: number): Owed | undefined {
  if (row.award_price === null) return undefined
  return owed(row.award_price, { basis: row.price_basis, weight_kg: row.weight_kg, vatRate, isVatRegistered: row.seller_charges_vat })
}

/** What is compared in the fields that were sent; each miss is a 422 under its field. */
export async function checkGiven(checks: readonly Check[], given: ActionInput, life: Life, read: SettingReader): Promise<void> {
  for (const check of checks) {
    const compare = comparisons[check]
    if (!compare) throw new Error(`nothing carries out the check ${check}`)
    await compare(given, life, read)
  }
}

const comparisons: Partial<Record<Check, (given: ActionInput, life: Life, read: SettingReader) => Promise<void> | void>> = {
  async total_as_computed({ total }, { row }, read) {
    const amounts = amountsOf(row, await read('vat_rate'))
    if (total !== undefined && total !== amounts?.total) {
      throw refuseField('total', `The invoice must come to ${formatPence(amounts?.total ?? 0)}`)
    }
  },
  vat_number_or_not_registered({ vat_number, not_vat_registered }) {
    if ((vat_number !== undefined) === (not_vat_registered === true)) {
      throw refuseField('vat_number', 'Give your VAT number, or say that you are not VAT registered')
    }
    const parsed = vat_number === undefined ? undefined : vatNumber.safeParse(vat_number)
    if (parsed && !parsed.success) throw refuseField('vat_number', 'Enter a UK VAT number such as GB123456789')
  },
  no_contact_details({ text, reason }) {
    for (const [name, given] of Object.entries({ text, reason })) {
      const why = typeof given === 'string' ? whyNotPublic(given) : undefined
      if (why) throw refuseField(name, why)
    }
  },
  reservation_is_waived({ waive_reservation }) {
    if (waive_reservation === false) throw refuseField('waive_reservation', 'Their bid is below your reservation price. Waive it to offer.')
  },
  reservation_is_lower({ reservation_price }, { row }) {
    const least = row.start_price
    if (Number(reservation_price) < least) throw refuseField('reservation_price', `No lower than the start price of ${formatPence(least)}`)
  },
  moment_in_future({ slot, eta }, { facts }) {
    for (const [name, moment] of Object.entries({ slot, eta })) {
      if (moment instanceof Date && moment <= facts.now) throw refuseField(name, 'This time is over. Choose a later one.')
    }
  },
  ticket_or_weigh_at_buyer({ weighbridge_ticket, weigh_at_buyer }) {
    if (weighbridge_ticket === undefined && weigh_at_buyer !== true) {
      throw refuseField('weighbridge_ticket', 'Add the weighbridge ticket, or say that the buyer weighs')
    }
  },
}
