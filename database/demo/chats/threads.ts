/** A conversation of the demo. Minutes ago, oldest first; `unread` is how many of the last ones the other side has not read. */
export type DemoChat = {
  about: string
  owner: string
  other: string
  says: readonly (readonly [who: 'owner' | 'other', minutesAgo: number, body: string])[]
  unread?: number
}

const HOUR = 60
const DAY = 24 * HOUR

/** About listings that run: questions before a bid. */
export const demoChats: readonly DemoChat[] = [
  {
    about: 'Bright wire, granulator ready',
    owner: 'seller',
    other: 'buyer',
    says: [
      ['other', 5 * HOUR, 'Morning. Is any of it tinned, or all clean bright?'],
      ['owner', 5 * HOUR - 12, 'All clean bright. We cut the tinned ends out before it goes in the bags.'],
      ['other', 4 * HOUR, 'Good. How many bags is it?'],
      ['owner', 4 * HOUR - 5, 'Three full ones and a part bag. All on pallets, forklift on site until 4.'],
      ['other', 26, 'We could collect Thursday first thing if it comes to us. Would 7 suit you?'],
    ],
    unread: 1,
  },
  {
    about: 'PVC house wire, 1.5 and 2.5 mm',
    owner: 'seller',
    other: 'buyer',
    says: [
      ['other', 2 * DAY, 'Is the 62 % from a strip test of one bag, or of all of them?'],
      ['owner', 2 * DAY - 40, 'Ten kilos taken from each of four bags. I can send you the sheet.'],
      ['other', 2 * DAY - 55, 'Please do. Ring me on 07700 900 461 if that is easier.'],
      ['owner', 2 * DAY - 70, 'I will post it here, the site hides numbers until it is paid.'],
    ],
  },
  {
    about: 'Armoured cable, 4 core 95 mm',
    owner: 'seller',
    other: 'rival',
    says: [
      ['other', 7 * HOUR, 'What is the longest length on a drum?'],
      ['owner', 6 * HOUR, 'Two at about 180 m, the others between 60 and 90.'],
      ['other', 90, 'Is there room for an artic to turn, or is it a rigid only?'],
      ['other', 88, 'And are the drums returnable?'],
    ],
    unread: 2,
  },
  {
    about: 'Mixed brass, valves and fittings',
    owner: 'seller',
    other: 'buyer',
    says: [
      ['other', DAY, 'Any iron handles still on the valves?'],
      ['owner', DAY - 30, 'A few. Say two per cent at most.'],
    ],
  },
  {
    about: 'Aluminium extrusion, 6063 offcuts',
    owner: 'seller',
    other: 'trade',
    says: [['other', 3 * HOUR, 'Hello, we have about 200 kg of the same from a shop front. Would you add it to this, or list it apart?']],
    unread: 1,
  },
  {
    about: 'OA plate and girder, 1.5 × 0.5 m',
    owner: 'seller',
    other: 'rival',
    says: [
      ['other', 3 * DAY, 'Is it cut to furnace size all through?'],
      ['owner', 3 * DAY - 120, 'Yes, 1.5 by 0.5, nothing over. Minimum 6 mm.'],
      ['other', 3 * DAY - 130, 'Thanks, clear.'],
    ],
  },
  {
    about: 'Zinc die cast ingots',
    owner: 'basic',
    other: 'buyer',
    says: [
      ['other', DAY + 3 * HOUR, 'Do you have an analysis for these?'],
      ['owner', DAY, 'From the first melt only. I can take a photo of it tomorrow.'],
      ['other', 50, 'That would do. Which alloy are they sold as?'],
    ],
    unread: 1,
  },
  {
    about: '316 stainless, tank cuttings',
    owner: 'basic',
    other: 'seller',
    says: [
      ['other', 2 * DAY, 'All 316, or is there 304 in the brackets?'],
      ['owner', 2 * DAY - 20, 'The brackets are 304, about 40 kg. They are in a bag of their own.'],
      ['other', 2 * DAY - 25, 'Good to know.'],
      ['owner', 70, 'The bag is weighed now: 37 kg.'],
    ],
    unread: 1,
  },
  {
    about: 'Electric motors, 0.5 to 15 kW',
    owner: 'basic',
    other: 'rival',
    says: [
      ['other', 6 * HOUR, 'Are there any with aluminium windings?'],
      ['owner', 5 * HOUR, 'We opened ten and found none. We cannot promise it for all of them.'],
    ],
  },
  {
    about: 'Colchester Triumph 2000 lathe',
    owner: 'buyer',
    other: 'seller',
    says: [
      ['other', DAY, 'Does it still run? We would want it for the workshop, not for the shear.'],
      ['owner', DAY - 60, 'It runs, three phase. You are welcome to see it under power.'],
      ['other', 40, 'Would Wednesday after 2 be all right?'],
    ],
    unread: 1,
  },
  {
    about: 'Galvanised tube, new, 6 m',
    owner: 'buyer',
    other: 'trade',
    says: [
      ['other', 8 * HOUR, 'Would you split it? We only need thirty lengths.'],
      ['owner', 7 * HOUR, 'Not this time, sorry. It goes as one lot.'],
    ],
  },
  {
    about: 'Car bales, 34 pieces',
    owner: 'rival',
    other: 'buyer',
    says: [
      ['other', 4 * HOUR, 'Are the tyres and batteries out of all of them?'],
      ['owner', 3 * HOUR, 'Yes, depolluted, with the certificates.'],
      ['owner', 3 * HOUR - 2, 'I can show you those when you come to look.'],
    ],
    unread: 2,
  },
]

/** About sales under way: how to collect. */
export const demoSaleChats: readonly DemoChat[] = [
  {
    about: 'Brass swarf, free-cutting, dry',
    owner: 'seller',
    other: 'buyer',
    says: [
      ['owner', DAY, 'Thanks for paying so quickly. It is in five drums on a pallet each.'],
      ['other', DAY - 30, 'Our driver is Craig, 07700 900 912. He rings half an hour before.'],
      ['owner', 35, 'Gate 2 please, gate 1 is closed this week.'],
    ],
    unread: 1,
  },
]
