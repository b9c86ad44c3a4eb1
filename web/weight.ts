const KG_PER_TONNE = 1_000
const tonnes = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 3 })

export const formatWeight = (weight_kg: number): string =>
  weight_kg < KG_PER_TONNE ? `${weight_kg} kg` : `${tonnes.format(weight_kg / KG_PER_TONNE)} t`
