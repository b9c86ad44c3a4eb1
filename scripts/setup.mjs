// Plain JavaScript for the machine's own Node 20: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve, sep } from 'node:path'

const root = resolve(import.meta.dirname ?? '.', '..')
const stamp = join(root, 'node_modules', '.setup-stamp')

refuseOldNode()
const wanted = `${lockHash()} ${process.platform}-${process.arch}\n`
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) install()

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Yardbid needs Node 20.19 or newer to install itself; this is ${process.versions.node}. Get one from https://nodejs.org`)
  process.exit(1)
}

// npm ci empties node_modules and the stamp with it: an install that was killed is done again
function install() {
  const began = Date.now()
  process.stdout.write('Installing packages, about a minute and only when they changed… ')
  const npm = spawnSync('npm', ['ci', ...cacheOption()], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: pathWithoutOurNode() },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error(`failed.\n${npm.error?.message ?? ''}${npm.stdout ?? ''}${npm.stderr ?? ''}`)
    process.exit(npm.status ?? 1)
  }
  writeFileSync(`${stamp}.new`, wanted)
  renameSync(`${stamp}.new`, stamp)
  console.log(`done in ${Math.round((Date.now() - began) / 1000)} s`)
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

// npm scripts put our Node 24 first, which npm ci is about to delete: it runs on the machine's
function pathWithoutOurNode() {
  const ours = `node_modules${sep}.bin`
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(ours))
    .join(delimiter)
}

// a service account often has no home to write to
function cacheOption() {
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm')
  return isWritable(cache) ? [] : ['--cache', join(root, '.cache', 'npm')]
}

function isWritable(path) {
  if (!existsSync(path)) return dirname(path) !== path && isWritable(dirname(path))
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
