import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wasteNote } from '#domain/papers/waste-note.ts'
import type { SaleOnPaper } from '#domain/papers/sale-papers.ts'
import { drawPaper } from '#server/features/papers/draw.ts'
import { textOfPdf } from '#tests/support/payments/pdf-text.ts'

const party = {
  company_name: 'Żółć Metals '.repeat(10).trim(),
  contact_name: 'Łukasz Żak',
  address: ['12 Foundry Lane', 'Unit 4', 'Manchester', 'England', 'M1 4BT'],
  business_activity: 'builder',
  vat_number: null,
  company_number: '01234567',
  licence: null,
  waste_carrier_number: null,
}

const sale = (serial_numbers: string): SaleOnPaper => ({
  award: {
    id: '0b9a2f3c-1111-4222-8333-9f8e7d6c5b4a',
    price: 1,
    goods: 1,
    vat: 0,
    total: 1,
    vat_rate: 20,
    charges_vat: false,
    paid_at: null,
    deferred_days: null,
  },
  listing: {
    id: 'x',
    title: 'Lead '.repeat(20).trim(),
    material_id: 'batteries',
    grade: null,
    condition: null,
    ewc_code: null,
    price_basis: 'lot',
    weight_kg: null,
    serial_numbers,
    transfer_method_id: 2,
    pick_up: party.address,
  },
  seller: party,
  buyer: party,
  exchange: {
    slot: null,
    eta: null,
    vehicle: null,
    seller_weight_kg: null,
    buyer_weight_kg: null,
    hazard_properties: null,
    received_at: null,
  },
})

test('a paper is one page however much stands on it, with all of it, and the same bytes when it is drawn again', async () => {
  const serials = Array.from({ length: 250 }, (_, nth) => `SN${nth}`)
  const note = wasteNote(sale(serials.join('\n')), { number: 'AB/1', issuedAt: new Date(0) })
  const pdf = await drawPaper(note)
  assert.equal(pdf.toString('latin1').match(/\/Type \/Page\n/g)?.length, 1)
  const words = new Set(textOfPdf(pdf).split(/[\s,]+/))
  for (const word of [...serials, 'Łukasz', 'Żółć', 'Consignee']) assert.ok(words.has(word), word)
  assert.deepEqual(await drawPaper(note), pdf)
})
