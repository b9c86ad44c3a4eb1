import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import { materials, type MaterialId } from '#contract/values/materials.ts'
import { splitTotal } from '#domain/papers/invoice.ts'
import { printedNumber } from '#domain/papers/printed-paper.ts'
import { csvRow, recordColumns } from '#domain/papers/record-csv.ts'
import { weightOf } from '#domain/papers/sale-papers.ts'
import type { ScrapRecord } from '#domain/papers/scrap-record.ts'
import { paperOfUpload, uploadPlaces } from '#domain/papers/upload-places.ts'
import { isHazardous, noteKindOf } from '#domain/papers/waste-note.ts'
import { steps } from '#domain/sales/listing-machine-table.ts'
import type { ListingFacts } from '#domain/sales/listing-machine-step.ts'

test('every storage object kind of SPEC §3 has its place', () => {
  const placed = new Set(uploadPlaces.map(({ kind }) => kind))
  assert.deepEqual([...placed].toSorted(), Object.keys(storageObjectKinds).toSorted())
})

test('every document that a step takes is a paper of its kind, given by whoever takes the step; the table has no other rows', () => {
  const asked = steps.flatMap(({ name, by, fields = [] }) =>
    (typeof fields === 'function' ? fields({} as ListingFacts) : fields).flatMap((field) =>
      field.type === 'document' || field.type === 'documents' ? [{ name, by, field }] : [],
    ),
  )
  assert.ok(asked.length > 10)
  for (const { name, by, field } of asked) {
    const row = uploadPlaces.find(({ steps: of, field: named }) => of?.includes(name) && named === field.name)
    assert.ok(row, `${name} ${field.name}`)
    assert.deepEqual([storageObjectKinds[row.kind], [row.by]], [field.kind, [...by]], `${name} ${field.name}`)
  }
  for (const { steps: of, field } of uploadPlaces)
    for (const step of of ?? [])
      assert.ok(
        asked.some((one) => one.name === step && one.field.name === field),
        `${step} ${field}`,
      )
  assert.equal(paperOfUpload('upload_supplementary_invoice', 'invoice'), 'supplementary_invoice')
  assert.equal(paperOfUpload('submit_documents', 'invoice'), null)
})

test('hazardous codes get a consignment note, with or without their star', () => {
  const code = (ewc_code: string | null, material_id: MaterialId = 'mixed') => isHazardous({ material_id, ewc_code })
  assert.deepEqual(
    [code('16 06 01*'), code('160601'), code('16 06 01'), code('17 04 01'), code(null), code(null, 'batteries'), code('20 01 35', 'weee')],
    [true, true, true, false, false, true, true],
  )
  for (const id of Object.keys(materials) as MaterialId[])
    assert.equal(
      noteKindOf({ material_id: id, ewc_code: null } as never),
      id === 'batteries' ? 'consignment_note' : 'waste_transfer_note',
      id,
    )
})

test('numbers say what, whose and the how manieth; a consignment code is six letters of the name and five digits', () => {
  const of = { no: 1001, nth: 7, company: 'Łąka & Co. 2' }
  assert.equal(printedNumber('invoice', of), 'INV-1001-0007')
  assert.equal(printedNumber('supplementary_invoice', { ...of, nth: 12_345 }), 'INV-1001-12345')
  assert.equal(printedNumber('return_credit_note', of), 'CN-1001-0007')
  assert.equal(printedNumber('waste_transfer_note', of), 'WTN-1001-0007')
  assert.equal(printedNumber('consignment_note', of), 'AKACO2/00007')
  assert.equal(printedNumber('consignment_note', { ...of, company: 'ĄĘ' }), 'AEXXXX/00007')
})

test('the VAT within a sum is rounded half to even, and goods and VAT add up to the sum', () => {
  const award = (vat_rate: number, charges_vat = true) => ({ vat_rate, charges_vat })
  assert.deepEqual(splitTotal(120_01, award(20)), { goods: 100_01, vat: 20_00, total: 120_01 })
  assert.deepEqual(splitTotal(3, award(20)), { goods: 3, vat: 0, total: 3 })
  assert.deepEqual(splitTotal(9, award(20)), { goods: 7, vat: 2, total: 9 })
  assert.deepEqual(splitTotal(500, award(20, false)), { goods: 500, vat: 0, total: 500 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), fc.constantFrom(5, 17.5, 20, 25), (total, rate) => {
      const { goods, vat } = splitTotal(total, award(rate))
      assert.equal(goods + vat, total)
      assert.ok(Math.abs(vat - (total * rate) / (100 + rate)) <= 0.5 + 1e-6)
    }),
  )
})

test('the weight on papers is the buyer’s, else the seller’s, else the listed one', () => {
  const weight = (buyer: number | null, seller: number | null, listed: number | null) =>
    weightOf({ exchange: { buyer_weight_kg: buyer, seller_weight_kg: seller }, listing: { weight_kg: listed } } as never)
  assert.deepEqual(
    [weight(1, 2, 3), weight(null, 2, 3), weight(null, null, 3), weight(null, null, null)],
    [{ kg: 1, by: 'buyer' }, { kg: 2, by: 'seller' }, { kg: 3, by: 'listing' }, null],
  )
})

test('a cell of the CSV that a spreadsheet would compute is text, and quotes and line ends stay inside their cell', () => {
  const party = {
    company_name: '=cmd()',
    contact_name: '+44',
    address: ['@x', 'M1'],
    business_activity: null,
    vat_number: null,
    company_number: null,
    licence: '-1',
    waste_carrier_number: '\t=1',
  }
  const record: ScrapRecord = {
    id: 'r',
    award_id: 'a',
    kind: 'receipt',
    cause: 'sale',
    at: new Date(0),
    keeper: party,
    counterparty: party,
    carrier: party,
    material_id: 'lead',
    title: 'Say "hi",\n＝1+1',
    grade: null,
    condition: '＝1+1',
    ewc_code: null,
    marks: null,
    vehicle: null,
    identity_evidence: [],
    weight_kg: 12_400,
    weight_from: 'seller',
    price: 77_748_05,
    paid_by: 'Jo',
    paid_how: 'Card',
    payment_reference: null,
    kept_until: '2029-01-01',
    completed_at: null,
  }
  const row = csvRow(record)
  assert.doesNotMatch(row, /(^|,)"?[=+@\t＝-]/)
  assert.match(row, /"'=cmd\(\)"/)
  assert.match(row, /"Say ""hi"",\n＝1\+1"/)
  assert.match(row, /"'＝1\+1"/)
  assert.match(row, /,12400,/)
  assert.match(row, /"77748.05"/)
  assert.equal(new Set(recordColumns.map(([heading]) => heading)).size, recordColumns.length)
})
