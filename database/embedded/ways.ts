import { spawnSync } from 'node:child_process'
import type { Binaries } from '#database/embedded/binaries.ts'

// PostgreSQL refuses to run as root. An ordinary user runs it as himself; root has the ways below, tried from the top.

export type WayName = 'namespace' | 'uid' | 'self'

export type Way = {
  name: WayName
  /** Who owns the data folder, seen from outside; undefined leaves it as it is. */
  owner: number | undefined
  /** Put before the binary and its arguments. */
  prefix: readonly string[]
}

/** `nobody` has an entry in every /etc/passwd; PostgreSQL wants to look its own user up. */
const NOBODY = 65534

const self: Way = { name: 'self', owner: undefined, prefix: [] }

const waysOfRoot: readonly Way[] = [
  // root outside, nobody inside: files stay root's, private folders stay readable
  { name: 'namespace', owner: 0, prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] },
  // where user namespaces are forbidden (most containers)
  { name: 'uid', owner: NOBODY, prefix: asNobody() },
  // the same below a folder that nobody may not enter, such as a 0700 /root; docker grants the second capability only
  { name: 'uid', owner: NOBODY, prefix: asNobody('dac_read_search') },
  { name: 'uid', owner: NOBODY, prefix: asNobody('dac_override') },
]

/** The first way in which PostgreSQL really runs and reaches `folder`. */
export function chooseWay(binaries: Binaries, folder: string, wanted?: WayName): Way {
  const isRoot = process.getuid?.() === 0
  const candidates = (isRoot ? waysOfRoot : [self]).filter((way) => wanted === undefined || way.name === wanted)
  const refusals: string[] = []
  for (const way of candidates) {
    const refusal = tryOut(way, binaries, folder)
    if (refusal === undefined) return way
    refusals.push(`  ${way.prefix.join(' ') || way.name}: ${refusal}`)
  }
  const who = isRoot ? 'root' : 'this user'
  throw new Error(
    [
      `PostgreSQL cannot be run by ${who}${wanted ? ` as '${wanted}'` : ''}. Run Yardbid as an ordinary user, or set DATABASE_URL.`,
      ...refusals,
    ].join('\n'),
  )
}

export function commandLine(way: Way, binary: string, args: readonly string[]): [command: string, args: string[]] {
  const [command = binary, ...rest] = [...way.prefix, binary, ...args]
  return [command, rest]
}

/** PG* variables of the developer's shell must not reach our server; the C locale keeps its messages in English. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG'))),
  LC_ALL: 'C',
})

function asNobody(capability?: string): string[] {
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  if (!capability) return [...drop, '--inh-caps=-all']
  // without no_setuid_fixup access(2) judges by the uid alone, and PostgreSQL does not find its own executable
  return [...drop, `--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`, '--securebits=+no_setuid_fixup']
}

// PostgreSQL that may not find its own executable says so on stderr, and still exits with 0.
function tryOut(way: Way, binaries: Binaries, folder: string): string | undefined {
  if (process.platform === 'win32') return undefined
  const [command, args] = commandLine(way, 'sh', ['-c', 'cd "$1" && exec "$0" --version', binaries.postgres, folder])
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', env: cleanEnvironment(), timeout: 10_000 })
  if (error) return error.message
  return status === 0 && stderr === '' ? undefined : stderr.trim() || `exit code ${status}`
}
