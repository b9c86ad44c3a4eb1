import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import { storageObjectKinds } from '#contract/values/storage-kinds.ts'
import { availableActions } from '#domain/sales/listing-machine.ts'
import type { Actor, ListingFacts } from '#domain/sales/listing-machine-step.ts'
import { steps } from '#domain/sales/listing-machine-table.ts'
import { later, facts, unmet, delivery, oneMore, inFull, people } from '#tests/support/sales/rules-table.ts'

const { WeighbridgeTicket, WeighbridgeMonitor, LoadImage, DeliveryNote, ListingAmendSupportingDocument, Invoice } = storageObjectKinds
const { ListingReturnDeliveryNote, ListingAmendsCreditNote, ListingReturnCreditNote } = storageObjectKinds
const sent = (name: string, type: string, kind?: number) => ({ name, type, required: true, kind })
const maybe = (name: string, type: string, kind?: number) => ({ name, type, required: false, kind })

// what RULES §4 asks for with each action
const forms: [ListingStatus, Actor, string, Partial<ListingFacts>, ReturnType<typeof sent>[]][] = [
  ['Active', 'seller', 'withdraw', {}, [maybe('reason', 'text')]],
  ['Active', 'seller', 'withdraw', { bid_count: 1, withdraw_until: later }, [sent('reason', 'text')]],
  ['Active', 'seller', 'add_note', { bid_count: 1 }, [sent('text', 'text')]],
  ['Active', 'seller', 'lower_reservation_price', unmet, [sent('reservation_price', 'money')]],
  ['Expired', 'seller', 'relist', {}, [maybe('duration_days', 'number')]],
  [
    'AwaitingVatNumberVerification',
    'seller',
    'correct_vat_number',
    {},
    [maybe('vat_number', 'text'), maybe('not_vat_registered', 'boolean')],
  ],
  ['InvoiceRequired', 'seller', 'upload_invoice', {}, [sent('invoice', 'document', Invoice), maybe('total', 'money')]],
  ['PendingPayment', 'buyer', 'pay', {}, [maybe('method', 'choice')]],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', oneMore, []],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', { next_bidder: 'below_reservation' }, [sent('waive_reservation', 'boolean')]],
  ['MissedPayment', 'seller', 'offer_to_next_bidder', { next_bidder: 'below_reservation', reservation_waived: true }, []],
  [
    'DocumentsRequired',
    'seller',
    'submit_documents',
    {},
    [
      sent('load_images', 'documents', LoadImage),
      maybe('weighbridge_ticket', 'document', WeighbridgeTicket),
      maybe('ticket_weight_kg', 'number'),
      maybe('weigh_at_buyer', 'boolean'),
      maybe('weighbridge_monitor', 'document', WeighbridgeMonitor),
      sent('slot', 'datetime'),
    ],
  ],
  [
    'DocumentsRequired',
    'seller',
    'dispatch',
    delivery,
    [
      sent('weighbridge_ticket', 'document', WeighbridgeTicket),
      sent('ticket_weight_kg', 'number'),
      sent('load_images', 'documents', LoadImage),
      sent('delivery_note', 'document', DeliveryNote),
      maybe('weighbridge_monitor', 'document', WeighbridgeMonitor),
      sent('vehicle', 'text'),
      sent('eta', 'datetime'),
    ],
  ],
  ['DocumentsRequired', 'seller', 'cancel_sale', {}, [sent('reason', 'text')]],
  ['PendingCollection', 'seller', 'confirm_handover', {}, [sent('code', 'code'), sent('vehicle', 'text')]],
  ['PendingCollection', 'buyer', 'reschedule', {}, [sent('slot', 'datetime')]],
  [
    'ReceivedGoods',
    'buyer',
    'request_amend',
    {},
    [
      sent('lines', 'amend_lines'),
      sent('evidence', 'documents', ListingAmendSupportingDocument),
      maybe('weighbridge_ticket', 'document', WeighbridgeTicket),
      maybe('ticket_weight_kg', 'number'),
    ],
  ],
  [
    'ReceivedGoods',
    'buyer',
    'accept_goods',
    {},
    [maybe('weighbridge_ticket', 'document', WeighbridgeTicket), maybe('ticket_weight_kg', 'number')],
  ],
  ['ReceivedGoods', 'buyer', 'start_return', {}, [sent('reason', 'text'), sent('photos', 'documents', LoadImage)]],
  ['ReceivedGoods', 'buyer', 'escalate', { amend_rejected: true }, [sent('reason', 'text')]],
  [
    'ApprovedAmendsDocumentsRequired',
    'seller',
    'upload_credit_note',
    { amend_difference: -1 },
    [sent('credit_note', 'document', ListingAmendsCreditNote), maybe('total', 'money')],
  ],
  [
    'ApprovedAmendsDocumentsRequired',
    'seller',
    'upload_supplementary_invoice',
    { amend_difference: 1 },
    [sent('invoice', 'document', Invoice), maybe('total', 'money')],
  ],
  [
    'ReturnStarted',
    'buyer',
    'dispatch_return',
    {},
    [sent('return_delivery_note', 'document', ListingReturnDeliveryNote), sent('eta', 'datetime')],
  ],
  ['ReturnDispatched', 'seller', 'confirm_return', {}, [sent('return_credit_note', 'document', ListingReturnCreditNote)]],
  ['Active', 'admin', 'raise_issue', {}, [sent('reason', 'text')]],
  ['Active', 'admin', 'remove', {}, [sent('reason', 'text')]],
  ['HasAdminIssue', 'admin', 'resolve', {}, [sent('resolution', 'choice'), maybe('amount', 'money'), maybe('reason', 'text')]],
]

for (const [status, actor, action, when, form] of forms) {
  test(`${status}: ${action} asks ${actor} for ${form.map(({ name }) => name).join(', ') || 'nothing'} (${JSON.stringify(when)})`, () => {
    const offered = availableActions(status, actor, facts(when)).find((one) => one.action === action)
    assert.deepEqual(
      offered?.fields.map(({ name, type, required, kind }) => ({ name, type, required, kind })),
      form,
    )
  })
}

test('an admin can refund or complete only where there is a sale', () => {
  const optionsOf = (known: Partial<ListingFacts>) =>
    availableActions('HasAdminIssue', 'admin', facts(known))
      .find(({ action }) => action === 'resolve')
      ?.fields.find(({ name }) => name === 'resolution')?.options
  assert.deepEqual(optionsOf({}), ['expire'])
  assert.deepEqual(optionsOf(inFull), ['refund_all', 'refund_amount', 'complete', 'expire'])
})

test('every step that people take has a label, and no other has one', () => {
  for (const { name, by, label } of steps) {
    assert.equal(
      label !== undefined,
      by.some((actor) => people.includes(actor)),
      name,
    )
    assert.equal(
      by.every((actor) => people.includes(actor)),
      by.some((actor) => people.includes(actor)),
      name,
    )
  }
})
