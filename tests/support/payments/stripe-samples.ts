import { readFileSync } from 'node:fs'

type Sample = Record<string, unknown>

// Stripe's published sample of every resource (openapi/fixtures3.json of its public repository, MIT: see the licence beside it)
const samples: Record<string, Sample | undefined> = JSON.parse(
  readFileSync(new URL('stripe-fixtures3.json', import.meta.url), 'utf8'),
).resources

/**
 * What is wrong with an answer, compared with Stripe's sample of that resource field by field: a field that is missing, or a
 * value of another type. Null stands for a value in either. `apart` names fields whose sample shows another variant.
 */
export function unlikeSample(resource: string, answer: object, apart: string[] = []): string[] {
  const sample = samples[resource]
  if (!sample) throw new Error(`Stripe has no sample of ${resource}.`)
  return differences(sample, answer, resource).filter((difference) => !apart.some((path) => difference.startsWith(`${path} `)))
}

function differences(sample: unknown, given: unknown, path: string): string[] {
  if (sample === null || given === null) return []
  if (kindOf(sample) !== kindOf(given)) return [`${path} is ${kindOf(given)}, not ${kindOf(sample)}`]
  if (Array.isArray(sample) && Array.isArray(given)) {
    return sample.length > 0 && given.length > 0 ? differences(sample[0], given[0], `${path}[0]`) : []
  }
  if (typeof sample !== 'object') return []
  return Object.entries(sample).flatMap(([name, value]) =>
    Object.hasOwn(given as object, name) ? differences(value, (given as Sample)[name], `${path}.${name}`) : [`${path}.${name} is missing`],
  )
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)
