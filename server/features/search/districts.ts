import { readFileSync } from 'node:fs'
import { mapSpot, type Coordinates, type Spot } from '#domain/search/uk-map.ts'

/** A postcode district with its centre. */
type District = Coordinates & { outcode: string; town: string; spot: Spot }

const districts = new Map<string, District>(
  readFileSync(new URL('../../../database/uk-outcodes.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [outcode = '', latitude, longitude, town = ''] = row.split(',')
      const spot = mapSpot(Number(latitude), Number(longitude))
      return [outcode, { outcode, town, latitude: Number(latitude), longitude: Number(longitude), spot }]
    }),
)

const postCodeShape = /^([A-Z]{1,2}\d[A-Z\d]?)(?:\d[A-Z]{2})?$/

/** The centre of a postcode's district; undefined if there is no such district. Takes a whole postcode or a district alone. */
export const spotOfPostCode = (text: string): Spot | undefined => districtOf(text)?.spot

/** The district of a postcode; undefined if there is no such district. Takes a whole postcode or a district alone. */
export function districtOf(text: string): District | undefined {
  const postCode = text.toUpperCase().replaceAll(' ', '')
  const asDistrict = districts.get(postCode)
  if (asDistrict) return asDistrict
  const [, district = ''] = postCodeShape.exec(postCode) ?? []
  // the list has some districts only as a whole: EC2N is found as EC2
  return districts.get(district) ?? districts.get(district.replace(/(\d)[A-Z]$/, '$1'))
}
