import { csvLine } from '#domain/papers/csv.ts'
import { materialWords, saleReference } from '#domain/papers/invoice.ts'
import type { TradeParty } from '#domain/papers/printed-paper.ts'
import type { ScrapRecord } from '#domain/papers/scrap-record.ts'
import { isHazardous } from '#domain/papers/waste-note.ts'

// Records as a table: what the Act asks for, then the fields of digital waste tracking.

type Column = [heading: string, cell: (record: ScrapRecord) => string | number | null]

const nameOf = ({ company_name }: TradeParty) => company_name
const addressOf = ({ address }: TradeParty) => address.join(', ')
const receiverOf = ({ kind, keeper, counterparty }: ScrapRecord) => (kind === 'receipt' ? keeper : counterparty)
const producerOf = ({ kind, keeper, counterparty }: ScrapRecord) => (kind === 'receipt' ? counterparty : keeper)

// R4: recycling or reclamation of metals and metal compounds
const RECOVERY_CODE = 'R4'

export const recordColumns: readonly Column[] = [
  ['record_id', ({ id }) => id],
  ['sale', ({ award_id }) => saleReference(award_id)],
  ['kind', ({ kind }) => kind],
  ['cause', ({ cause }) => cause],
  ['at', ({ at }) => at.toISOString()],
  ['record_of', ({ keeper }) => nameOf(keeper)],
  ['record_of_person', ({ keeper }) => keeper.contact_name],
  ['record_of_address', ({ keeper }) => addressOf(keeper)],
  ['record_of_licence', ({ keeper }) => keeper.licence],
  ['counterparty', ({ counterparty }) => nameOf(counterparty)],
  ['counterparty_person', ({ counterparty }) => counterparty.contact_name],
  ['counterparty_address', ({ counterparty }) => addressOf(counterparty)],
  ['counterparty_licence', ({ counterparty }) => counterparty.licence],
  ['identity_evidence', ({ identity_evidence }) => identity_evidence.map(evidenceWords).join('; ')],
  ['type', (record) => materialWords(record)],
  ['description', ({ title }) => title],
  ['grade', ({ grade }) => grade],
  ['form_and_condition', ({ condition }) => condition],
  ['marks', ({ marks }) => marks],
  ['weight_kg', ({ weight_kg }) => weight_kg],
  ['weight_from', ({ weight_from }) => weight_from],
  ['vehicle', ({ vehicle }) => vehicle],
  ['price_gbp', ({ price }) => (price / 100).toFixed(2)],
  ['paid_by', ({ paid_by }) => paid_by],
  ['paid_how', ({ paid_how }) => paid_how],
  ['payment_reference', ({ payment_reference }) => payment_reference],
  ['kept_until', ({ kept_until }) => kept_until],
  ['completed_at', ({ completed_at }) => completed_at?.toISOString() ?? null],
  // digital waste tracking
  ['ewc_code', ({ ewc_code }) => ewc_code],
  ['is_hazardous', (record) => (isHazardous(record) ? 'yes' : 'no')],
  ['physical_form', () => 'solid'],
  ['weight_is_estimate', ({ weight_from }) => (weight_from === 'buyer' || weight_from === 'seller' ? 'no' : 'yes')],
  ['recovery_code', () => RECOVERY_CODE],
  ['producer', (record) => nameOf(producerOf(record))],
  ['producer_address', (record) => addressOf(producerOf(record))],
  ['receiver', (record) => nameOf(receiverOf(record))],
  ['receiver_address', (record) => addressOf(receiverOf(record))],
  ['carrier', ({ carrier }) => nameOf(carrier)],
  ['carrier_registration', ({ carrier }) => carrier.waste_carrier_number],
  ['means_of_transport', () => 'road'],
]

const evidenceWords = ({ source, reference, date }: ScrapRecord['identity_evidence'][number]) =>
  [source, reference, date].filter(Boolean).join(', ')

export const csvHead = (): string => csvLine(recordColumns.map(([heading]) => heading))

export const csvRow = (record: ScrapRecord): string => csvLine(recordColumns.map(([, cell]) => cell(record)))
