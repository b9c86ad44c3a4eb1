import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const product = ['contract', 'domain', 'server', 'sandbox', 'database', 'web', 'scripts']
const root = path.resolve(import.meta.dirname, '../..')

const MOST_FILES = 18
// a migration is added for every change of the schema, and none is ever taken away
const mayGrow = ['database/migrations']
const isSource = (file: string) => /\.(?:ts|tsx|mjs|sql|css)$/.test(file)

/** By folder, its source files without those of the folders in it. */
const sources = new Map<string, string[]>()
for (const top of product) {
  const entries = readdirSync(path.join(root, top), { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile() && isSource(each.name))) {
    const folder = path.relative(root, entry.parentPath)
    sources.set(folder, [...(sources.get(folder) ?? []), entry.name])
  }
}

/** `from folder` → `to folder` → the imports, as `file → file`. Types and lazy imports count too. */
function readImports(): Map<string, Map<string, string[]>> {
  const imports = new Map<string, Map<string, string[]>>()
  for (const [folder, names] of sources) {
    const targets = new Map<string, string[]>()
    for (const name of names) {
      const text = readFileSync(path.join(root, folder, name), 'utf8')
      for (const [, file = ''] of text.matchAll(/(?:from|import|import\()\s*'#([^']+)'/g)) {
        const target = path.posix.dirname(file)
        if (target !== folder) targets.set(target, [...(targets.get(target) ?? []), `${folder}/${name} → ${file}`])
      }
    }
    imports.set(folder, targets)
  }
  return imports
}

test('no two folders of the product import each other', () => {
  const imports = readImports()
  const pairs: string[] = []
  for (const [folder, targets] of imports) {
    for (const [target, there] of targets) {
      const back = folder < target ? imports.get(target)?.get(folder) : undefined
      if (back) pairs.push([`${folder} ⇄ ${target}`, ...there, ...back].join('\n    '))
    }
  }
  assert.deepEqual(pairs, [], `\n${pairs.join('\n')}\n`)
})

test(`no folder of the product holds more than ${MOST_FILES} source files`, () => {
  const large = [...sources].filter(([folder, names]) => names.length > MOST_FILES && !mayGrow.includes(folder))
  assert.deepEqual(
    large.map(([folder, names]) => `${folder}: ${names.length}`),
    [],
  )
})
