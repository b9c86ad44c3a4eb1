import { readFileSync } from 'node:fs'
import { mapSpot, type Spot } from '#domain/search/uk-map.ts'

const districts = new Map<string, Spot>(
  readFileSync(new URL('../../../database/uk-outcodes.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [outcode = '', latitude, longitude] = row.split(',')
      return [outcode, mapSpot(Number(latitude), Number(longitude))]
    }),
)

const postCodeShape = /^([A-Z]{1,2}\d[A-Z\d]?)(?:\d[A-Z]{2})?$/

/** The centre of a postcode's district; undefined if there is no such district. Takes a whole postcode or a district alone. */
export function spotOfPostCode(text: string): Spot | undefined {
  const postCode = text.toUpperCase().replaceAll(' ', '')
  const asDistrict = districts.get(postCode)
  if (asDistrict) return asDistrict
  const [, district = ''] = postCodeShape.exec(postCode) ?? []
  // the list has some districts only as a whole: EC2N is found as EC2
  return districts.get(district) ?? districts.get(district.replace(/(\d)[A-Z]$/, '$1'))
}
