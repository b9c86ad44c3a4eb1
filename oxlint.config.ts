import { readdirSync } from 'node:fs'
import { defineConfig, type OxlintOverride } from 'oxlint'

// The import directions of the architecture. A later row that matches a file replaces an earlier one.

type Refusal = { regex: string; message: string }

const folders = ['contract', 'domain', 'server', 'sandbox', 'database', 'web', 'tests', 'scripts', 'benchmarks']
const notFrom = (refused: string[], message: string): Refusal => ({ regex: `^#(${refused.join('|')})/`, message })
const onlyFrom = (allowed: string[], message: string): Refusal => notFrom(except(folders, allowed), message)
const relative: Refusal = { regex: '^\\.', message: 'Import by #folder/file.ts.' }

const serverBorder = notFrom(
  ['web', 'sandbox', 'tests', 'scripts', 'benchmarks'],
  'server/ knows neither web/ nor sandbox/, tests/ and scripts/: main.ts puts them together.',
)
const webBorder = onlyFrom(['web', 'contract', 'domain'], 'web/ imports web/, contract/ and domain/ only.')

// only the files at the server's root put features together: they import routes and jobs too
const composing: Refusal = { regex: '^#server/[^/]+$', message: "The files at the server's root compose: nothing below imports them." }
const anyFeature: Refusal = { regex: '^#server/features/', message: 'Features build on this: it knows none of them.' }
const publicOnly = (features: string): Refusal => ({
  regex: `^#server/features/(${features})/(${otherThan('public.ts')})`,
  message: 'Another feature is used by its public.ts only.',
})

type Direction = [files: string, ...Refusal[]]

const directions: Direction[] = [
  [
    'contract/**',
    onlyFrom(['contract'], 'contract/ imports contract/ only.'),
    { regex: `^[^#.](${otherThan('od')}|od.)|^[^#.z]`, message: 'contract/ runs anywhere: zod and no other package.' },
  ],
  [
    'domain/**',
    onlyFrom(['contract', 'domain'], 'domain/ imports contract/ and domain/ only.'),
    { regex: '^[^#.]', message: 'domain/ is pure: no package.' },
  ],
  ['sandbox/**', notFrom(['web', 'tests', 'scripts'], 'sandbox/ stands in for the outside world: it knows neither web/ nor tests/.')],
  ['database/**', notFrom(['web', 'server', 'sandbox', 'tests', 'scripts', 'benchmarks'], 'database/ is below everything that uses it.')],
  ['server/**', serverBorder],
  ['server/main.ts', notFrom(['web', 'tests'], 'The server knows neither web/ nor tests/.')],
  ...['db', 'http', 'providers', 'jobs', 'live', 'metrics'].map((room): Direction => [
    `server/${room}/**`,
    serverBorder,
    composing,
    anyFeature,
  ]),
  ['server/clock/**', serverBorder, composing, publicOnly('[^/]+')],
  ...eachFeature('server', (others) => [serverBorder, composing, publicOnly(others)]),
  ['web/**', webBorder],
  ...eachFeature('web', (others) => [
    webBorder,
    { regex: `^#web/(pages|features/(${others}))/`, message: 'A feature imports no other feature and no page: pages compose them.' },
  ]),
  [
    'web/ui/**',
    onlyFrom(['web'], 'ui/ knows nothing of scrap.'),
    { regex: `^#web/(${otherThan('ui/')})`, message: 'ui/ imports neither api nor features.' },
  ],
]

function eachFeature(side: 'server' | 'web', refusals: (others: string) => Refusal[]): Direction[] {
  const entries = readdirSync(new URL(`${side}/features`, import.meta.url), { withFileTypes: true })
  const words = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return words.map((word) => [`${side}/features/${word}/**`, ...refusals(except(words, [word]).join('|'))])
}

function except(all: string[], some: string[]): string[] {
  return all.filter((one) => !some.includes(one))
}

// oxlint's regular expressions have no lookahead, and one that does not parse is dropped without a word: "does not
// begin with ab" is spelt [^a]|a[^b]
function otherThan(text: string): string {
  return [...text].map((letter, at) => `${text.slice(0, at).replaceAll('.', '\\.')}[^${letter}]`).join('|')
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['web/public/**'],
  rules: {
    'typescript/no-floating-promises': [
      'error',
      { allowForKnownSafeCalls: [{ from: 'package', name: ['test', 'it', 'describe', 'suite', 'before', 'after'], package: 'node:test' }] },
    ],
    'typescript/no-explicit-any': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'prefer-const': 'error',
    'no-restricted-imports': ['error', { patterns: [relative] }],

    // casts at the border are how outside data comes in (STYLE, Files and functions)
    'typescript/no-unsafe-type-assertion': 'off',
    // one step after another is what a loop with await says
    'no-await-in-loop': 'off',
    // `pg.Client` is how a CommonJS package is imported
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css', '@fontsource*/**'] }],
    // tsc sees a path without a return
    'typescript/consistent-return': 'off',
    // sorting a list of one's own in place is fine
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-shadow': 'off',
    'react/react-in-jsx-scope': 'off',
    // combobox, listbox and their like are built of divs and lists by the ARIA patterns; axe looks at the result in the browser
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/no-noninteractive-element-to-interactive-role': 'off',
    'jsx-a11y/no-static-element-interactions': 'off',
    'jsx-a11y/click-events-have-key-events': 'off',
    // these take BroadcastChannel for window, Fastify for Express, and a closure's variable for a constant
    'unicorn/require-post-message-target-origin': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'no-unmodified-loop-condition': 'off',
    // Vite's constants are written __SO__
    'no-underscore-dangle': 'off',
    // counting code points is what it is for
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
  },
  overrides: [
    ...directions.map(([files, ...refusals]): OxlintOverride => ({
      files: [files],
      rules: { 'no-restricted-imports': ['error', { patterns: [relative, ...refusals] }] },
    })),
    // tests send what is wrong on purpose, and read answers that nobody has typed
    { files: ['tests/**'], rules: { 'typescript/no-explicit-any': 'off', 'no-loss-of-precision': 'off' } },
  ],
})
