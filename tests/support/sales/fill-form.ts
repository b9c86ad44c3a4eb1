import assert from 'node:assert/strict'
import type { Listing } from '#contract/listings.ts'
import type { Client } from '#tests/support/client.ts'
import { pdf } from '#tests/support/files/made-files.ts'
import { uploadUntilKept } from '#tests/support/files/stores.ts'
import type { Random } from '#tests/support/random.ts'

// Fills the form of an available action, as a client does that knows nothing but its fields (API.md).

type Field = Listing['available_actions'][number]['fields'][number]

export type Form = {
  client: Client
  fields: readonly Field[]
  listing: Listing
  random: Random
  /** Six digits that the buyer reads out. */
  code?: string | null
  /** What is not left to chance; null leaves an optional field out. */
  given?: Readonly<Record<string, unknown>>
}

const HOUR = 3_600_000

export async function fillForm({ client, fields, listing, random, code, given = {} }: Form): Promise<Record<string, unknown>> {
  const filled: Record<string, unknown> = {}
  const isIn = (name: string) => fields.some((field) => field.name === name)
  const hasTicket = given['weighbridge_ticket'] !== null && random.between(0, 1) === 1
  // fields that go together: a ticket states a weight, and without one the buyer weighs
  const isLeftOut: Readonly<Record<string, boolean>> = {
    weighbridge_ticket: !hasTicket,
    ticket_weight_kg: !hasTicket,
    weigh_at_buyer: hasTicket,
    not_vat_registered: isIn('vat_number'),
  }
  for (const field of fields) {
    const { name, required } = field
    if (name in given) {
      if (given[name] !== null) filled[name] = given[name]
    } else if (required || !(isLeftOut[name] ?? name === 'total')) {
      filled[name] = await values[field.type]({ field, client, listing, random, code })
    }
  }
  if (filled['resolution'] !== undefined && filled['resolution'] !== 'refund_amount') delete filled['amount']
  return filled
}

type Asked = Pick<Form, 'client' | 'listing' | 'random'> & { field: Field; code: Form['code'] }

const texts: Readonly<Record<string, string>> = { vat_number: 'GB123456789', vehicle: 'YA12 BID', hazard_properties: 'HP 8, HP 14' }

const values: Record<Field['type'], (asked: Asked) => unknown> = {
  text: ({ field }) => texts[field.name] ?? 'As seen in the yard',
  number: ({ field, listing }) => (field.name === 'duration_days' ? 3 : (listing.weight_kg ?? 500)),
  money: ({ field, random }) => random.between(1, Math.max(1, field.max ?? 100)),
  datetime: ({ listing, random }) => new Date(Date.parse(listing.server_time) + random.between(1, 72) * HOUR).toISOString(),
  boolean: () => true,
  choice: ({ field, random }) => random.oneOf(field.options ?? []),
  code: ({ code }) => code ?? '000000',
  document: ({ client, field }) => newDocument(client, field.kind),
  documents: async ({ client, field }) => [await newDocument(client, field.kind)],
  amend_lines: ({ listing, random }) => [amendLine(listing, random)],
}

const MOST_FOUND = 120 // per cent of what was listed

/** Weight where one is listed, else a share of dirt. */
function amendLine({ weight_kg }: Listing, random: Random): object {
  if (weight_kg === null || random.between(1, 4) === 1) return { type: 'contamination', listed: '0', found: String(random.between(1, 20)) }
  const found = Math.max(1, Math.round((weight_kg * random.between(80, MOST_FOUND)) / 100))
  return { type: 'weight', listed: String(weight_kg), found: String(found === weight_kg ? weight_kg + 1 : found) }
}

async function newDocument(client: Client, kind: number | undefined): Promise<string> {
  const { id, status, body } = await uploadUntilKept(client, {
    bytes: pdf(),
    mime_type: 'application/pdf',
    filename: 'paper.pdf',
    type: 2,
    ...(kind !== undefined && { storage_object_kind: kind }),
  })
  assert.equal(status, 200, JSON.stringify(body))
  return id
}
