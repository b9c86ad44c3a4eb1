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

const shape = /^([A-Z]{1,2}\d[A-Z\d]?)(?:\d[A-Z]{2})?$/

/** The middle of a post code's district; nothing if there is no such district. A whole post code and a district alone both do. */
export function spotOfPostCode(text: string): Spot | undefined {
  const written = text.toUpperCase().replaceAll(' ', '')
  const asDistrict = districts.get(written)
  if (asDistrict) return asDistrict
  const [, district = ''] = shape.exec(written) ?? []
  // a district such as EC2N that the list does not tell apart lies in EC2
  return districts.get(district) ?? districts.get(district.replace(/(\d)[A-Z]$/, '$1'))
}
