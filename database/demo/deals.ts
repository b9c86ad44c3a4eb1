import { createHash } from 'node:crypto'
import type { ListingStatus } from '#contract/values/listing-status.ts'
import {
  accepts,
  amends,
  approves,
  byCard,
  collected,
  collects,
  delivered,
  delivers,
  paper,
  sendsBack,
  startsReturn,
  type DemoMove,
} from '#database/demo/deal-moves.ts'
import type { DemoListing } from '#database/demo/listing.ts'

// Sales after the hammer, one at least in every status, played by the product itself at the first start (server/demo-sales.ts). Their
// buyers and sellers are documented logins, so that each screen can be looked at from both sides.

export type DemoDeal = DemoListing & { id: string; leads_to: ListingStatus; moves: readonly DemoMove[] }

/** Fixed, so that a start that was interrupted is continued by the next. */
const idOf = (title: string): string => {
  const hex = createHash('sha256').update(`yardbid demo: ${title}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

type Sale = Omit<DemoListing, 'by' | 'endsIn'> & Pick<DemoDeal, 'leads_to' | 'moves'> & { by?: DemoListing['by'] }

const ENDED_AGO = -20 // minutes

const deal = (sale: Sale): DemoDeal => ({ by: 'seller', endsIn: ENDED_AGO, ...sale, id: idOf(sale.title) })

export const demoDeals: readonly DemoDeal[] = [
  deal({
    title: 'Heat exchanger tube bundle, cupro-nickel',
    description: 'One bundle from a chiller plant, drained and flushed. Photos of the tube ends follow.',
    photos: ['copper-pipe-stillage'],
    material: 'copper_no_2',
    price: [3_200_00, 'tonne', 1_150],
    since: 'just_submitted',
    leads_to: 'Processing',
    moves: [],
  }),
  deal({
    by: 'fenland',
    title: 'Irrigation pipe, aluminium, 90 mm',
    description: 'Field pipe from three farms, couplings off, cut to two metres.',
    photos: ['aluminium-extrusion'],
    material: 'aluminium_extrusion',
    price: [1_300_00, 'tonne', 1_720],
    bids: [
      ['rival', 1_340_00],
      ['buyer', 1_420_00],
    ],
    leads_to: 'AwaitingKYC',
    moves: [],
  }),
  deal({
    title: 'Busbar offcuts, tinned one end',
    description: 'From a switchroom strip-out, 40 and 60 mm bar, in two drums.',
    photos: ['copper-bright-bag', 'copper-pipe'],
    material: 'copper_no_1',
    grade: 'Berry',
    price: [5_600_00, 'tonne', 420],
    accepts_deferred_payment: true,
    bids: [
      ['rival', 5_700_00],
      ['buyer', 5_900_00],
    ],
    leads_to: 'PendingPayment',
    moves: [],
  }),
  deal({
    title: 'Stainless kitchen units, 304',
    description: 'Two hotel kitchens, sinks and worktops, timber out.',
    photos: ['stainless-skip'],
    material: 'stainless',
    grade: '304',
    price: [900_00, 'tonne', 2_640],
    bids: [
      ['buyer', 940_00],
      ['rival', 1_020_00],
    ],
    leads_to: 'MissedPayment',
    moves: [{ misses: 'payment' }],
  }),
  deal({
    title: 'Rebar cut ends, 12 to 32 mm',
    description: 'Precast works, clean, up to 600 mm long. Grab loaded.',
    photos: ['steel-mixed'],
    material: 'ferrous_oa',
    grade: 'OA',
    price: [165_00, 'tonne', 24_300],
    bids: [
      ['rival', 172_00],
      ['buyer', 178_00],
    ],
    leads_to: 'BalanceDue',
    moves: [{ pays: 'bank_transfer', percent: 60 }],
  }),
  deal({
    title: 'Aluminium window frames, thermal break',
    description: 'Glass out, rubbers mostly out, plastic break still in.',
    photos: ['aluminium-extrusion', 'aluminium-sheet'],
    material: 'aluminium_extrusion',
    price: [1_020_00, 'tonne', 3_380],
    bids: [
      ['rival', 1_060_00],
      ['buyer', 1_120_00],
    ],
    leads_to: 'DocumentsRequired',
    moves: [{ pays: 'bank_transfer' }],
  }),
  deal({
    title: 'Lead pipe and offcuts, one pallet box',
    description: 'Domestic lead pipe, straightened, taps cut off.',
    photos: ['lead-sheet'],
    material: 'lead',
    price: [1_350_00, 'tonne', 860],
    bids: [
      ['rival', 1_400_00],
      ['buyer', 1_450_00],
    ],
    leads_to: 'PendingCollection',
    moves: [byCard, collects(858, '40711', 'lead-sheet')],
  }),
  deal({
    title: 'Brass swarf, free-cutting, dry',
    description: 'CZ121 from one machine shop, centrifuged, in lined bags.',
    photos: ['turnings', 'brass-fittings'],
    material: 'brass',
    grade: 'Night',
    price: [3_050_00, 'tonne', 1_900],
    transfer: 2,
    bids: [
      ['rival', 3_120_00],
      ['buyer', 3_240_00],
    ],
    leads_to: 'Dispatched',
    moves: [byCard, delivers(1_896, '40698', 'turnings')],
  }),
  deal({
    title: 'Car radiators, aluminium and copper',
    description: 'Tanks off, about 70 % clean. Four stillages.',
    photos: ['aluminium-cast'],
    material: 'mixed',
    price: [1_180_00, 'tonne', 2_150],
    transfer: 2,
    bids: [
      ['rival', 1_220_00],
      ['buyer', 1_290_00],
    ],
    leads_to: 'ReceivedGoods',
    moves: [byCard, ...delivered(2_150, '40655', 'aluminium-cast', { net: 2_144, no: 'T-1182' })],
  }),
  deal({
    title: 'Bright wire, 1 mm and over, four bags',
    description: 'Panel builder’s scrap, no tails, no tin.',
    photos: ['copper-bright-bag'],
    material: 'copper_bright',
    grade: 'Candy',
    price: [6_200_00, 'tonne', 1_240],
    bids: [
      ['rival', 6_280_00],
      ['buyer', 6_400_00],
    ],
    leads_to: 'ReviewAmend',
    moves: [byCard, ...collected(1_238, '40702', 'copper-bright-bag'), amends(1_240, 1_196, 'T-1190', 'copper-bright-heap', '1.5')],
  }),
  deal({
    title: 'Gas meters, brass and zinc bodies',
    description: 'Stripped meters, dials off, in one RoRo bin.',
    photos: ['brass-valves'],
    material: 'brass',
    price: [1_900_00, 'tonne', 1_640],
    bids: [
      ['rival', 1_960_00],
      ['buyer', 2_040_00],
    ],
    leads_to: 'ApprovedAmendsDocumentsRequired',
    moves: [byCard, ...collected(1_640, '40677', 'brass-valves'), amends(1_640, 1_602, 'T-1175', 'brass-fittings'), approves],
  }),
  deal({
    title: 'Litho plate, unused and printed',
    description: 'From a print works that closed. Flat on pallets, interleaving out.',
    photos: ['aluminium-sheet'],
    material: 'aluminium_sheet',
    price: [1_500_00, 'tonne', 2_900],
    bids: [
      ['rival', 1_560_00],
      ['buyer', 1_620_00],
    ],
    leads_to: 'BalanceDue',
    moves: [
      byCard,
      ...collected(2_900, '40689', 'aluminium-sheet'),
      amends(2_900, 2_968, 'T-1177', 'aluminium-sheet'),
      approves,
      {
        by: 'seller',
        action: 'upload_supplementary_invoice',
        sent: { invoice: paper('Supplementary invoice', 'Whitfield Metals Ltd', 'For 68 kg above the listed weight, ticket T-1177') },
      },
    ],
  }),
  deal({
    title: 'Alloy heads and gearbox casings',
    description: 'Degreased, steel inserts under 3 %, eight bins.',
    photos: ['aluminium-cast', 'motors-pallet'],
    material: 'aluminium_cast',
    price: [960_00, 'tonne', 3_120],
    accepts_deferred_payment: true,
    bids: [
      ['rival', 990_00],
      ['buyer', 1_030_00],
    ],
    leads_to: 'DeferredPayment',
    moves: [{ by: 'buyer', action: 'use_deferred_terms' }, ...collected(3_118, '40640', 'aluminium-cast'), accepts],
  }),
  deal({
    title: 'Copper tank, insulated, twelve pieces',
    description: 'Hot water cylinders, foam on, immersion heaters out.',
    photos: ['copper-pipe-stillage'],
    material: 'copper_no_2',
    price: [4_300_00, 'tonne', 390],
    bids: [
      ['rival', 4_400_00],
      ['buyer', 4_500_00],
    ],
    leads_to: 'ReturnStarted',
    moves: [
      byCard,
      ...collected(390, '40633', 'copper-pipe-stillage'),
      startsReturn('Five of the twelve are steel with a copper coat. The magnet holds on all five.', 'light-iron'),
    ],
  }),
  deal({
    title: 'Zinc roof sheet, folded',
    description: 'School roof, bitumen side out, folded to a metre.',
    photos: ['zinc-ingots'],
    material: 'zinc',
    price: [1_020_00, 'tonne', 1_480],
    bids: [
      ['rival', 1_050_00],
      ['buyer', 1_090_00],
    ],
    leads_to: 'ReturnDispatched',
    moves: [
      byCard,
      ...collected(1_480, '40621', 'zinc-ingots'),
      startsReturn('A third of the sheet is galvanised steel, see the photos of the cut edges.', 'steel-mixed'),
      sendsBack('Zinc and galvanised sheet, 1,478 kg'),
    ],
  }),
  deal({
    title: 'Electric motors, pump sets, mixed',
    description: 'Waterworks pumps and motors up to 22 kW, oil drained.',
    photos: ['motors', 'motors-pallet'],
    material: 'motors',
    price: [640_00, 'tonne', 4_050],
    bids: [
      ['rival', 660_00],
      ['buyer', 690_00],
    ],
    leads_to: 'ReturnComplete',
    moves: [
      byCard,
      ...collected(4_050, '40598', 'motors'),
      startsReturn('Eleven of the motors are full of oil, which we may not take in.', 'motors-pallet'),
      sendsBack('Electric motors, 4,046 kg, oil in sealed drums', { soon: true }),
      {
        by: 'seller',
        action: 'confirm_return',
        sent: { return_credit_note: paper('Credit note', 'Whitfield Metals Ltd', 'For the whole of load 40598, returned') },
      },
    ],
  }),
  deal({
    title: 'Heavy copper cable, stripped',
    description: '240 mm cores, granulator ready, dry stored.',
    photos: ['copper-bright-heap', 'cable-drums'],
    material: 'copper_bright',
    grade: 'Barley',
    price: [6_100_00, 'tonne', 980],
    bids: [
      ['rival', 6_180_00],
      ['buyer', 6_300_00],
    ],
    leads_to: 'ExchangeComplete',
    moves: [byCard, ...collected(980, '40577', 'copper-bright-heap'), accepts],
  }),
  deal({
    title: 'Structural steel, short lengths',
    description: 'Burnt to five foot, no cast, no closed sections.',
    photos: ['steel-plate-girder'],
    material: 'ferrous_oa',
    grade: 'OA',
    price: [170_00, 'tonne', 19_800],
    transfer: 2,
    bids: [
      ['rival', 176_00],
      ['buyer', 184_00],
    ],
    leads_to: 'ExchangeComplete',
    moves: [
      byCard,
      ...delivered(19_800, '40560', 'steel-plate-girder', { net: 19_420, no: 'T-1151' }),
      amends(19_800, 19_420, 'T-1152', 'steel-mixed'),
      approves,
      {
        by: 'seller',
        action: 'upload_credit_note',
        sent: { credit_note: paper('Credit note', 'Whitfield Metals Ltd', 'For 380 kg below the listed weight, ticket T-1151') },
      },
    ],
  }),
  deal({
    by: 'rival',
    title: 'Telephone cable, jelly-filled',
    description: 'Lengths of two metres and more, 44 % recovery by our test.',
    photos: ['cable-armoured-skip'],
    material: 'copper_cable',
    grade: '44 % recovery',
    price: [1_700_00, 'tonne', 2_480],
    bids: [
      ['seller', 1_760_00],
      ['buyer', 1_840_00],
    ],
    leads_to: 'HasAdminIssue',
    moves: [
      byCard,
      {
        by: 'admin',
        action: 'raise_issue',
        sent: {
          reason: 'The buyer reports that the cable carries the markings of a network operator. We have asked the seller for proof.',
        },
      },
    ],
  }),
]
