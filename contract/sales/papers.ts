import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { cursorMeta, keysOf, money, pageQuery, text, time } from '#contract/fields.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'

/** Names and address as they were on the day: they outlive the account. */
const recordParty = z.object({ company_name: z.string(), contact_name: z.string(), address: z.array(z.string()) })

/** A record that the Scrap Metal Dealers Act 2013 asks for: of metal received (section 13) or disposed of (section 14). */
const scrapRecord = z
  .object({
    id: z.string(),
    listing_id: z.string(),
    kind: z.enum(['receipt', 'disposal']),
    /** `return`: the goods went back. */
    cause: z.enum(['sale', 'return']),
    at: time,
    counterparty: recordParty,
    material: z.object({ id: z.string(), name: z.string(), group: z.string() }),
    title: z.string(),
    grade: z.string().nullable(),
    condition: z.string().nullable(),
    ewc_code: z.string().nullable(),
    marks: z.string().nullable(),
    vehicle: z.string().nullable(),
    weight_kg: z.int().nullable(),
    /** Whose weight it is. */
    weight_from: z.enum(['buyer', 'seller', 'listing']).nullable(),
    price: money,
    paid_by: z.string(),
    paid_how: z.string(),
    payment_reference: z.string().nullable(),
    kept_until: z.iso.date(),
    /** Until the exchange ends, weight, price and payment may still change. */
    completed_at: time.nullable(),
    /** The record as PDF. */
    url: z.string(),
  })
  .meta({ id: 'ScrapRecord' })
export type ScrapRecordItem = z.output<typeof scrapRecord>

const day = z.iso
  .date('Enter a day such as 2026-11-15')
  .refine((given) => given >= '2000' && given < '2100', 'Enter a day such as 2026-11-15')

/** Days of London, both included. */
export const recordFilter = z.object({
  'filter[from]': day.optional(),
  'filter[to]': day.optional(),
  'filter[kind]': z.enum(['receipt', 'disposal'], 'receipt or disposal').optional(),
  'filter[material_id]': z.enum(keysOf<MaterialId>(materials), 'Choose a material').optional(),
  /** Part of a name. */
  'filter[counterparty]': text(100).optional(),
})
export type RecordFilter = z.output<typeof recordFilter>

export const recordEndpoints = endpoints({
  'GET /api/v1/records': {
    summary: 'The caller’s records of the Scrap Metal Dealers Act, newest first',
    access: 'member',
    query: pageQuery.extend(recordFilter.shape),
    replies: { 200: z.object({ data: z.array(scrapRecord), meta: cursorMeta }) },
  },
})
