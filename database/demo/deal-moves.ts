// What the parties of the demo's sales do, in the order of a sale.

/** A field of an action. Papers, photos and hours are written here as they are meant; playing the move makes uploads and times of them. */
export type DemoValue =
  | string
  | number
  | boolean
  | { paper: string; lines: readonly string[] }
  | { photo: string }
  /** So many working days from now, on the hour in London. */
  | { workingDays: number; hour: number }
  /** At the next quarter of an hour: for what the following move has done already. */
  | { soon: true }
  /** The six digits that the buyer was given. */
  | { handoverCode: true }
  | { type: 'weight' | 'grade' | 'contamination'; listed: string; found: string; price_effect?: number }
  | readonly DemoValue[]

export type DemoMove =
  | { by: 'seller' | 'buyer' | 'admin'; action: string; sent?: Readonly<Record<string, DemoValue>> }
  /** `percent`: how much of it arrives. */
  | { pays: 'card' | 'bank_transfer'; percent?: number }
  | { misses: 'payment' }

export const paper = (name: string, ...lines: string[]): DemoValue => ({ paper: name, lines })
const photos = (...names: string[]): DemoValue => names.map((photo) => ({ photo }))
const kg = (weight: number) => `${weight.toLocaleString('en-GB')} kg`

function ticket(yard: string, no: string, { gross, tare, registration }: { gross: number; tare: number; registration: string }): DemoValue {
  return paper(
    'Weighbridge ticket',
    yard,
    `Ticket ${no}`,
    `Vehicle ${registration}`,
    `Gross ${kg(gross)}`,
    `Tare ${kg(tare)}`,
    `Net ${kg(gross - tare)}`,
  )
}

const sellersTicket = (no: string, net: number, registration: string) =>
  ticket('Whitfield Metals Ltd, Sheffield', no, { gross: 8_940 + net, tare: 8_940, registration })
const buyersTicket = (no: string, net: number, registration: string) =>
  ticket('Tyseley Recycling Ltd, Birmingham', no, { gross: 8_960 + net, tare: 8_960, registration })

export const byCard: DemoMove = { pays: 'card' }

export const collects = (net: number, no: string, photo: string, slot: DemoValue = { workingDays: 1, hour: 10 }): DemoMove => ({
  by: 'seller',
  action: 'submit_documents',
  sent: {
    load_images: photos(photo),
    weighbridge_ticket: sellersTicket(no, net, 'BD21 KXE'),
    ticket_weight_kg: net,
    slot,
  },
})

export const delivers = (net: number, no: string, photo: string, eta: DemoValue = { workingDays: 1, hour: 14 }): DemoMove => ({
  by: 'seller',
  action: 'dispatch',
  sent: {
    weighbridge_ticket: sellersTicket(no, net, 'YJ70 WMT'),
    ticket_weight_kg: net,
    load_images: photos(photo),
    delivery_note: paper('Delivery note', 'Whitfield Metals Ltd to Tyseley Recycling Ltd', `Load ${no}, ${kg(net)}`, 'Driver: A. Beaumont'),
    vehicle: 'YJ70 WMT, DAF rigid with Hiab',
    eta,
  },
})

const handsOver: DemoMove = {
  by: 'seller',
  action: 'confirm_handover',
  sent: { code: { handoverCode: true }, vehicle: 'BD21 KXE, Iveco tipper' },
}

const receives = (net: number, no: string): DemoMove => ({
  by: 'buyer',
  action: 'confirm_received',
  sent: { weighbridge_ticket: buyersTicket(no, net, 'YJ70 WMT'), ticket_weight_kg: net },
})

export const collected = (net: number, no: string, photo: string): DemoMove[] => [collects(net, no, photo, { soon: true }), handsOver]

export const delivered = (net: number, no: string, photo: string, found: { net: number; no: string }): DemoMove[] => [
  delivers(net, no, photo, { soon: true }),
  receives(found.net, found.no),
]

export const accepts: DemoMove = { by: 'buyer', action: 'accept_goods' }

export const amends = (listed: number, found: number, no: string, photo: string, contamination?: string): DemoMove => ({
  by: 'buyer',
  action: 'request_amend',
  sent: {
    lines: [
      { type: 'weight', listed: String(listed), found: String(found) },
      ...(contamination ? [{ type: 'contamination', listed: '0', found: contamination } as const] : []),
    ],
    evidence: photos(photo),
    weighbridge_ticket: buyersTicket(no, found, 'BD21 KXE'),
    ticket_weight_kg: found,
  },
})

export const approves: DemoMove = { by: 'seller', action: 'approve_amend' }

export const startsReturn = (reason: string, photo: string): DemoMove => ({
  by: 'buyer',
  action: 'start_return',
  sent: { reason, photos: photos(photo) },
})

export const sendsBack = (load: string, eta: DemoValue = { workingDays: 2, hour: 11 }): DemoMove => ({
  by: 'buyer',
  action: 'dispatch_return',
  sent: {
    return_delivery_note: paper('Return delivery note', 'Tyseley Recycling Ltd to Whitfield Metals Ltd', load, 'Driver: S. Akhtar'),
    eta,
  },
})
