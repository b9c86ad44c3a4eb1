import type { MaterialId } from '#contract/values/materials.ts'

/** Who says what, how many hours ago; with a price it is an offer, in pounds. */
export type DemoSaid = [by: 'poster' | 'merchant', hoursAgo: number, body: string, offer?: { price: number; status?: DemoOfferStatus }]
type DemoOfferStatus = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'replaced' | 'closed'

export type DemoEnquiry = {
  by: string
  title: string
  material: MaterialId
  kg: number | null
  /** Town and postcode. */
  at: [town: string, postCode: string]
  hoursAgo: number
  description?: string
  photo?: string
  /** Days from now. */
  availableIn?: number
  status?: 'open' | 'agreed' | 'ended'
  talks?: { with: string; says: DemoSaid[] }[]
}

const DAY = 24

export const demoEnquiries: readonly DemoEnquiry[] = [
  {
    by: 'trade',
    title: 'Armoured cable from a factory rewire',
    material: 'copper_cable',
    kg: 340,
    at: ['Nottingham', 'NG7 2RU'],
    hoursAgo: 5,
    description: 'Two pallets, cut to a metre, on the ground floor. A van can reverse to the door.',
    photo: 'cable-armoured-skip',
    availableIn: 1,
    talks: [
      {
        with: 'seller',
        says: [
          ['merchant', 4.5, 'What size is it, mostly?'],
          ['poster', 4.2, '25 mm four core, some 16 mm'],
          ['merchant', 4, 'Can collect tomorrow morning.', { price: 890 }],
        ],
      },
      {
        with: 'buyer',
        says: [
          ['merchant', 3, 'Bank transfer on the day, ticket from our weighbridge.', { price: 910 }],
          ['poster', 2, 'Could you do a little more for the clean half?', { price: 980 }],
        ],
      },
      { with: 'rival', says: [['merchant', 1, '', { price: 860 }]] },
    ],
  },
  {
    by: 'trade',
    title: 'Old distribution boards and breakers',
    material: 'weee',
    kg: 85,
    at: ['Derby', 'DE1 2GY'],
    hoursAgo: 30,
    photo: 'weee',
  },
  {
    by: 'trade',
    title: 'Copper pipe offcuts, four bags',
    material: 'copper_no_2',
    kg: 60,
    at: ['Nottingham', 'NG1 5FB'],
    hoursAgo: 6 * DAY,
    photo: 'copper-pipe',
    status: 'agreed',
    talks: [
      {
        with: 'seller',
        says: [
          ['merchant', 140, 'I am in Nottingham on Thursday.', { price: 330, status: 'accepted' }],
          ['poster', 100, 'Thursday at ten is good. Ring at the gate.'],
          ['merchant', 99, 'See you then.'],
        ],
      },
      { with: 'rival', says: [['merchant', 138, 'Any more coming?', { price: 310, status: 'closed' }]] },
    ],
  },
  {
    by: 'trade',
    title: 'Storage heaters, twelve',
    material: 'mixed',
    kg: 900,
    at: ['Leicester', 'LE1 1DE'],
    hoursAgo: 21 * DAY,
    photo: 'mixed-skip',
    status: 'ended',
    talks: [{ with: 'buyer', says: [['merchant', 18 * DAY, 'If the bricks are out', { price: 95, status: 'closed' }]] }],
  },
  {
    by: 'basic',
    title: 'Cast iron radiators from a school',
    material: 'ferrous_cast',
    kg: 2400,
    at: ['Preston', 'PR1 2HE'],
    hoursAgo: 9,
    description: 'Forty radiators, drained, stacked in the yard. Forklift on site until Friday.',
    photo: 'cast-radiators',
    availableIn: 2,
    talks: [
      {
        with: 'seller',
        says: [
          ['merchant', 8, 'Are they painted?'],
          ['poster', 7.5, 'Most of them, yes'],
        ],
      },
      { with: 'buyer', says: [['merchant', 6, 'Collection with our own wagon.', { price: 520 }]] },
    ],
  },
  {
    by: 'basic',
    title: 'Lead flashing from a chapel roof',
    material: 'lead',
    kg: 410,
    at: ['Blackburn', 'BB1 7JN'],
    hoursAgo: 4 * DAY,
    photo: 'lead-sheet',
    status: 'agreed',
    talks: [{ with: 'buyer', says: [['merchant', 90, 'Faculty paper please, then today.', { price: 610, status: 'accepted' }]] }],
  },
  {
    by: 'seller',
    title: 'Guillotine blades and tool steel',
    material: 'ferrous_oa',
    kg: 1300,
    at: ['Sheffield', 'S9 3TY'],
    hoursAgo: 50,
    photo: 'steel-plate-girder',
    talks: [{ with: 'rival', says: [['merchant', 40, 'Price for the lot, loaded.', { price: 340 }]] }],
  },
  {
    by: 'aire-plumbing',
    title: 'Combi boilers, nine, and a heap of copper',
    material: 'copper_no_1',
    kg: 150,
    at: ['Leeds', 'LS3 1LH'],
    hoursAgo: 2,
    description: 'From a block of flats. Copper is bagged apart from the boilers.',
    photo: 'copper-pipe-stillage',
    availableIn: 0,
    talks: [
      {
        with: 'seller',
        says: [
          ['merchant', 1.2, 'Boilers as well, in one go.', { price: 760 }],
          ['poster', 0.4, 'When could you come?'],
        ],
      },
    ],
  },
  {
    by: 'aire-plumbing',
    title: 'Brass valves and taps',
    material: 'brass',
    kg: 45,
    at: ['Bradford', 'BD1 4QH'],
    hoursAgo: 28,
    photo: 'brass-valves',
  },
  {
    by: 'aire-plumbing',
    title: 'Hot water cylinders, six',
    material: 'copper_no_2',
    kg: 90,
    at: ['Wakefield', 'WF1 2EB'],
    hoursAgo: 70,
    photo: 'copper-windings',
  },
  {
    by: 'clyde-roofing',
    title: 'Lead from a tenement roof',
    material: 'lead',
    kg: 700,
    at: ['Glasgow', 'G51 3HR'],
    hoursAgo: 3,
    photo: 'lead-sheet',
    availableIn: 3,
  },
  {
    by: 'clyde-roofing',
    title: 'Zinc gutters, cut',
    material: 'zinc',
    kg: 120,
    at: ['Paisley', 'PA1 1UJ'],
    hoursAgo: 44,
    photo: 'zinc-ingots',
  },
  {
    by: 'clyde-roofing',
    title: 'Aluminium flashing',
    material: 'aluminium_sheet',
    kg: null,
    at: ['Edinburgh', 'EH6 6SP'],
    hoursAgo: 100,
    photo: 'aluminium-sheet',
  },
  {
    by: 'avon-builders',
    title: 'Steel beams from a barn',
    material: 'ferrous_1_2',
    kg: 5200,
    at: ['Bristol', 'BS2 0SB'],
    hoursAgo: 12,
    photo: 'steel-plate-girder',
    availableIn: 5,
  },
  {
    by: 'avon-builders',
    title: 'Scaffold tube, bent',
    material: 'ferrous_1_2',
    kg: 1800,
    at: ['Bath', 'BA1 1SU'],
    hoursAgo: 60,
    photo: 'steel-tube-bundles',
  },
  {
    by: 'avon-builders',
    title: 'Mixed skip after a strip-out',
    material: 'mixed',
    kg: 1500,
    at: ['Gloucester', 'GL1 2SF'],
    hoursAgo: 20,
    photo: 'mixed-skip',
  },
  {
    by: 'avon-builders',
    title: 'Aluminium windows, forty',
    material: 'aluminium_extrusion',
    kg: 600,
    at: ['Cardiff', 'CF10 3NP'],
    hoursAgo: 34,
    photo: 'aluminium-extrusion',
  },
  {
    by: 'mersey-electrical',
    title: 'Cable drums, part used',
    material: 'copper_cable',
    kg: 220,
    at: ['Liverpool', 'L1 0AF'],
    hoursAgo: 7,
    photo: 'cable-drums',
  },
  {
    by: 'mersey-electrical',
    title: 'Emergency light batteries',
    material: 'batteries',
    kg: 180,
    at: ['Birkenhead', 'CH41 1AU'],
    hoursAgo: 52,
    photo: 'batteries',
  },
  {
    by: 'mersey-electrical',
    title: 'Motors from a pump house',
    material: 'motors',
    kg: 950,
    at: ['Warrington', 'WA1 1QY'],
    hoursAgo: 26,
    photo: 'motors-pallet',
    availableIn: 1,
  },
  {
    by: 'mersey-electrical',
    title: 'PVC flex, two builder’s bags',
    material: 'copper_cable',
    kg: 140,
    at: ['Chester', 'CH1 2HU'],
    hoursAgo: 88,
    photo: 'cable-pvc',
  },
  {
    by: 'north-facilities',
    title: 'Server racks and cabinets',
    material: 'weee',
    kg: 2100,
    at: ['London', 'E2 7NX'],
    hoursAgo: 1,
    photo: 'weee',
    availableIn: 2,
  },
  {
    by: 'north-facilities',
    title: 'Stainless kitchen worktops',
    material: 'stainless',
    kg: 380,
    at: ['London', 'SE1 7PB'],
    hoursAgo: 16,
    photo: 'stainless-skip',
  },
  {
    by: 'north-facilities',
    title: 'Light iron from an office clearance',
    material: 'ferrous_light_iron',
    kg: 1700,
    at: ['Croydon', 'CR0 1LH'],
    hoursAgo: 40,
    photo: 'light-iron',
  },
  {
    by: 'north-facilities',
    title: 'Pillar drill and a lathe',
    material: 'goods_machinery',
    kg: null,
    at: ['Reading', 'RG1 1LG'],
    hoursAgo: 110,
    photo: 'lathe',
  },
  {
    by: 'north-facilities',
    title: 'Lift motors, four',
    material: 'motors',
    kg: 1200,
    at: ['Luton', 'LU1 2BE'],
    hoursAgo: 17 * DAY,
    photo: 'motors',
    status: 'ended',
  },
]

/** The demo members' material preferences, so that new enquiries and listings match somebody. */
export const demoPreferences: readonly { of: string; materials: MaterialId[]; postCode: string; miles: number; leastKg?: number }[] = [
  { of: 'seller', materials: ['copper_bright', 'copper_no_1', 'copper_no_2', 'copper_cable', 'lead'], postCode: 'S9 3TY', miles: 60 },
  { of: 'buyer', materials: ['brass', 'copper_cable', 'ferrous_cast', 'stainless'], postCode: 'B11 2BE', miles: 100, leastKg: 50 },
]
