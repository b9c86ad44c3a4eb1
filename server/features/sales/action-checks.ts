import { timingSafeEqual } from 'node:crypto'
import { vatNumber } from '#contract/fields.ts'
import type { Check } from '#domain/sales/listing-machine-step.ts'
import { whyNotPublic } from '#contract/values/contact-details.ts'
import { formatPence } from '#domain/format.ts'
import { formatMoment } from '#domain/format-time.ts'
import type { AmendLine } from '#domain/sales/amend.ts'
import { addDuration } from '#domain/working-days.ts'
import type { ActionInput } from '#server/features/sales/action-fields.ts'
import type { Life } from '#server/features/sales/life/facts.ts'
import { amendedOf } from '#server/features/sales/life/taken-step.ts'
import type { SettingReader } from '#server/features/settings/public.ts'
import { refuseField } from '#server/http/errors.ts'

export type CheckContext = {
  read: SettingReader
  /** Counts a try of the handover code; answers how many are left after it. */
  countCodeTry?: () => Promise<number>
}

/** What is compared in the fields that were sent; each miss is a 422 under its field. */
export async function checkGiven(checks: readonly Check[], given: ActionInput, life: Life, context: CheckContext): Promise<void> {
  for (const check of checks) await comparisons[check](given, life, context)
}

const mustBe = (total: unknown, computed: number) => {
  if (total !== undefined && total !== computed) throw refuseField('total', `The paper must come to ${formatPence(computed)}`)
}

const comparisons: Record<Check, (given: ActionInput, life: Life, context: CheckContext) => Promise<void> | void> = {
  total_as_computed: ({ total }, { row }) => mustBe(total, row.award?.total ?? 0),
  difference_as_computed: ({ total }, { facts }) => mustBe(total, Math.abs(facts.amend_difference)),
  async code_matches({ code }, { row }, { countCodeTry }) {
    const triesLeft = (await countCodeTry?.()) ?? 0
    const expected = row.exchange?.handover_code ?? ''
    const matches = expected !== '' && timingSafeEqual(Buffer.from(String(code).padEnd(6)), Buffer.from(expected.padEnd(6)))
    if (!matches) throw refuseField('code', `This is not the buyer’s code. ${triesLeftInWords(triesLeft)}`)
  },
  weight_with_ticket({ weighbridge_ticket, ticket_weight_kg }) {
    if ((weighbridge_ticket === undefined) === (ticket_weight_kg === undefined)) return
    const missing = ticket_weight_kg === undefined ? 'ticket_weight_kg' : 'weighbridge_ticket'
    throw refuseField(missing, missing === 'ticket_weight_kg' ? 'Enter the net weight on the ticket' : 'Add the ticket with this weight')
  },
  lines_change_the_price({ lines }, { row }) {
    const amended = amendedOf(row, lines as readonly AmendLine[])
    if ('error' in amended) throw refuseField('lines', amended.error)
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
  async moment_in_future({ slot, eta }, { facts }, { read }) {
    const latest = addDuration(facts.now, await read('appointment_max_ahead'))
    for (const [name, moment] of Object.entries({ slot, eta })) {
      if (!(moment instanceof Date)) continue
      if (moment <= facts.now) throw refuseField(name, 'This time is over. Choose a later one.')
      if (moment > latest) throw refuseField(name, `Choose a time by ${formatMoment(latest)}.`)
    }
  },
  hazards_are_codes({ hazard_properties }) {
    if (typeof hazard_properties === 'string' && !hazardCodes.test(hazard_properties)) {
      throw refuseField('hazard_properties', 'Enter codes from HP 1 to HP 15, such as HP 8, HP 14')
    }
  },
  ticket_or_weigh_at_buyer({ weighbridge_ticket, weigh_at_buyer }) {
    if (weighbridge_ticket === undefined && weigh_at_buyer !== true) {
      throw refuseField('weighbridge_ticket', 'Add the weighbridge ticket, or say that the buyer weighs')
    }
  },
}

const hazardCodes = /^HP ?([1-9]|1[0-5])(, ?HP ?([1-9]|1[0-5]))*$/i

function triesLeftInWords(left: number): string {
  if (left <= 0) return 'That was the last try: wait an hour, or contact us.'
  return `Ask them to read it out again. ${left === 1 ? 'One try is' : `${left} tries are`} left within an hour.`
}
