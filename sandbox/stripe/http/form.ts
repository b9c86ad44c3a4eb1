import { invalid, missingParam, wrongParam } from '#sandbox/stripe/http/errors.ts'

type Tree = { [name: string]: Tree | string }

/** The parameters of a request. What nobody reads is unknown, and refused as Stripe refuses it. */
export type Form = {
  has: (name: string) => boolean
  /** Undefined when it is absent or empty. */
  text: (name: string) => string | undefined
  /** Null when it was sent empty, which is how a field is cleared. */
  nullable: (name: string) => string | null | undefined
  required: (name: string) => string
  integer: (name: string) => number | undefined
  flag: (name: string) => boolean | undefined
  oneOf: <Word extends string>(name: string, words: readonly Word[]) => Word | undefined
  /** `expand[]=a&expand[]=b` or `expand[0]=a`. */
  texts: (name: string) => string[] | undefined
  /** `metadata[k]=v`; a key sent empty holds ''. */
  map: (name: string) => Record<string, string> | undefined
  child: (name: string) => Form | undefined
  children: (name: string) => Form[] | undefined
  /** Marks parameters as known, with all that is nested in them, though nobody needs them. */
  allow: (...names: string[]) => void
  /** The names that nobody has read, nested ones too: `payment_method_options[card][moto]`. */
  unread: () => string[]
}

export function parseForm(encoded: string): Form {
  const tree: Tree = {}
  for (const [name, value] of new URLSearchParams(encoded)) grow(tree, keysOf(name), value)
  return readTree(tree, '')
}

function keysOf(name: string): string[] {
  const [first = '', ...inner] = name.split('[')
  return [first, ...inner.map((part) => part.replace(/\]$/, ''))]
}

function grow(tree: Tree, [key = '', ...rest]: string[], value: string): void {
  const name = key === '' ? String(Object.keys(tree).length) : key
  if (name === '__proto__') return
  const below = tree[name]
  if (rest.length === 0) tree[name] = value
  else grow(typeof below === 'object' ? below : (tree[name] = {}), rest, value)
}

function readTree(tree: Tree, path: string): Form {
  const read = new Set<string>()
  const allowed = new Set<string>()
  /** Each nested form is made once, so that it knows all that was read of it. */
  const opened = new Map<string, Form[]>()
  const at = (name: string) => (path ? `${path}[${name}]` : name)
  const look = (name: string) => {
    read.add(name)
    return Object.hasOwn(tree, name) ? tree[name] : undefined
  }
  const nullable = (name: string) => {
    const value = look(name)
    if (typeof value === 'object') throw wrongParam(`Invalid string: ${at(name)}`, { param: at(name) })
    return value === '' ? null : value
  }
  const text = (name: string) => nullable(name) ?? undefined
  const below = (name: string) => {
    const value = look(name)
    if (typeof value === 'string' && value !== '') throw wrongParam(`Invalid hash: ${at(name)}`, { param: at(name) })
    return typeof value === 'object' ? value : undefined
  }
  const oneOf = <Word extends string>(name: string, words: readonly Word[]): Word | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const word = words.find((one) => one === value)
    if (word === undefined) throw wrongParam(`Invalid ${at(name)}: must be one of ${words.join(', ')}`, { param: at(name) })
    return word
  }

  const open = (name: string, entries: [path: string, tree: Tree][]): Form[] => {
    const forms = opened.get(name) ?? entries.map(([where, nested]) => readTree(nested, where))
    opened.set(name, forms)
    return forms
  }

  return {
    has: (name) => look(name) !== undefined,
    text,
    nullable,
    oneOf,
    required: (name) => {
      const value = text(name)
      if (value === undefined) throw missingParam(at(name))
      return value
    },
    integer: (name) => {
      const value = text(name)
      if (value !== undefined && !/^-?\d{1,15}$/.test(value)) {
        throw wrongParam(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: at(name) })
      }
      return value === undefined ? undefined : Number(value)
    },
    flag: (name) => {
      const value = oneOf(name, ['true', 'false'])
      return value === undefined ? undefined : value === 'true'
    },
    texts: (name) => {
      const value = below(name)
      return value && Object.values(value).filter((one) => typeof one === 'string')
    },
    map: (name) => {
      const value = below(name)
      return value && Object.fromEntries(Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? one : '']))
    },
    child: (name) => {
      const value = below(name)
      return value && open(name, [[at(name), value]])[0]
    },
    children: (name) => {
      const value = below(name)
      const entries = Object.entries(value ?? {}).map(([key, one]): [string, Tree] => [
        `${at(name)}[${key}]`,
        typeof one === 'object' ? one : {},
      ])
      return value && open(name, entries)
    },
    allow: (...names) => names.forEach((name) => allowed.add(name)),
    unread: () =>
      Object.keys(tree)
        .filter((name) => !allowed.has(name))
        .flatMap((name) => (read.has(name) ? (opened.get(name) ?? []).flatMap((form) => form.unread()) : [at(name)])),
  }
}

/** Stripe's metadata rule: named keys are written, keys sent empty are removed, the others stay. */
export function mergeMetadata(
  old: Record<string, string> | null | undefined,
  change: Record<string, string> | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== ''))
}

/** The body of the sandbox's own calls. An empty one is an empty object. */
export function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text || '{}')
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // refused below
  }
  throw invalid('Send a JSON object.')
}
