// RULES §3 "Materials": what can be sold, and what the law calls it.

type Material = { name: string; group: string; ewc_code: string | null; is_scrap: boolean; is_restricted?: true }

const scrap = (group: string, ewc_code: string) => (name: string) => ({ name, group, ewc_code, is_scrap: true as const })
const ferrous = scrap('Ferrous', '17 04 05')
const copper = scrap('Copper', '17 04 01')
const aluminium = scrap('Aluminium', '17 04 02')
const goods = (name: string) => ({ name, group: 'Goods', ewc_code: null, is_scrap: false as const })

/** Id → name, group and the EWC code that forms suggest. Goods are not scrap: no licence is asked for them. */
export const materials = {
  ferrous_oa: ferrous('OA'),
  ferrous_1_2: ferrous('1 & 2'),
  ferrous_light_iron: ferrous('Light iron'),
  ferrous_cast: ferrous('Cast'),
  ferrous_turnings: scrap('Ferrous', '12 01 01')('Turnings'),
  ferrous_bales: ferrous('Bales'),
  copper_bright: copper('Bright'),
  copper_no_1: copper('No. 1'),
  copper_no_2: copper('No. 2'),
  copper_cable: scrap('Copper', '17 04 11')('Cable by recovery'),
  brass: scrap('Brass', '17 04 01')('Brass'),
  aluminium_cast: aluminium('Cast'),
  aluminium_sheet: aluminium('Sheet'),
  aluminium_extrusion: aluminium('Extrusion'),
  aluminium_wheels: scrap('Aluminium', '16 01 18')('Wheels'),
  lead: scrap('Lead', '17 04 03')('Lead'),
  zinc: scrap('Zinc', '17 04 04')('Zinc'),
  stainless: scrap('Stainless', '17 04 05')('Stainless'),
  motors: scrap('Motors', '16 02 16')('Motors'),
  batteries: scrap('Batteries', '16 06 01*')('Batteries'),
  catalytic_converters: { ...scrap('Catalytic converters', '16 08 01')('Catalytic converters'), is_restricted: true },
  mixed: scrap('Mixed and WEEE', '17 04 07')('Mixed metals'),
  weee: scrap('Mixed and WEEE', '20 01 36')('WEEE'),
  goods_machinery: goods('Machinery'),
  goods_tools: goods('Tools'),
  goods_stock: goods('Stock'),
} as const satisfies Record<string, Material>

export type MaterialId = keyof typeof materials
