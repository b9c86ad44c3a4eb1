import { invalid } from '#sandbox/stripe/http/errors.ts'
import type { Expanders, Work } from '#sandbox/stripe/engine/route.ts'

type Found = Record<string, unknown>

/** Puts whole objects where `expand` names a field that holds an id, or a field that is left out otherwise. */
export async function expand(work: Work, answer: object, paths: string[], expanders: Expanders): Promise<object> {
  const copy = structuredClone(answer)
  for (const path of paths) await follow(copy as Found, path.split('.'), path)
  return copy

  /** The object of an id, or of each id in a list of them such as `discounts`. */
  async function whole(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) {
      const all: unknown[] = []
      for (const one of value) all.push(await whole(one))
      return all
    }
    return typeof value === 'string' ? ((await work.store.anything(value)) ?? value) : value
  }

  async function follow(at: Found, [name = '', ...rest]: string[], path: string): Promise<void> {
    // nothing is left of it to put there
    if (at['deleted'] === true) return
    const special = expanders[`${String(at['object'])}.${name}`]
    if (special && !(name in at && isWhole(at[name]))) at[name] = await special(work, at as never)
    if (!(name in at)) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
    at[name] = await whole(at[name])
    for (const next of [at[name]].flat()) {
      if (rest.length > 0 && isWhole(next)) await follow(next, rest, path)
    }
  }
}

const isWhole = (value: unknown): value is Found => typeof value === 'object' && value !== null
