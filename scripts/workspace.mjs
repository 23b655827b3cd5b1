/**
 * What the root commands share: install when the lock file changed, build the packages whose sources changed, run a
 * command. Nothing here needs an installed package, because these scripts are what installs them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** In build order: a package stands after those it is built from. */
const PACKAGES = [
  { name: 'engine', after: [], hasTypes: true },
  { name: 'audit-chain', after: [], hasTypes: true },
  { name: 'billing-core', after: [], hasTypes: true },
  { name: 'client', after: [], hasTypes: true },
  { name: 'server', after: ['audit-chain', 'billing-core'], hasTypes: true },
  { name: 'cli', after: ['engine', 'audit-chain', 'billing-core', 'client'], hasTypes: false },
]

/** Runs a command in the root; its output is the user's. Ends the process when it fails. */
export function run(command, args, options = {}) {
  const code = status(command, args, options)
  if (code !== 0) process.exit(code)
}

/** The same, answering the exit code. */
export function status(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
    env: { ...process.env, ...options.env },
  })
  if (result.error) {
    console.error(`cannot run \`${command}\`: ${result.error.message}`)
    return 127
  }
  return result.status ?? 1
}

/** Runs a command in the root and shows its output only when it fails, which ends the process. */
function runQuietly(command, args, env) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    shell: process.platform === 'win32',
    env: { ...process.env, ...env },
  })
  if (!result.error && result.status === 0) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
  console.error(`\`${[command, ...args].join(' ')}\` failed${result.error ? `: ${result.error.message}` : ''}`)
  process.exit(result.status || 1)
}

/** The path of an installed package's command. */
export function tool(name) {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
}

/** Installs exactly the lock file, once per lock file and kind of Node: what is native is built for one, or left out. */
export function installIfNeeded() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Plumbline needs Node 20.19 or newer; this is ${process.versions.node}`)
    process.exit(1)
  }
  const stamp = join(root, 'node_modules', '.plumbline-stamp')
  const wanted = `${hash([join(root, 'package-lock.json')])} ${process.versions.modules}`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Installing packages …')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

/**
 * Builds the packages whose sources, settings or dependencies changed since their last build.
 *
 * @param {{ force?: boolean, types?: boolean }} options `types: false` leaves the declarations out: running needs none,
 *   and they take half of the time. The stamp says so, and the next call that wants declarations adds them.
 */
export function buildIfStale({ force = false, types = true } = {}) {
  const tasks = force ? everyPackage().map((each) => ({ ...each, kind: types ? 'all' : 'run' })) : staleTasks({ types })
  for (const [index, { name, kind, stamp, wanted }] of tasks.entries()) {
    const what = kind === 'types' ? `declarations of @plumbline/${name}` : `@plumbline/${name}`
    console.error(`Building ${index + 1} of ${tasks.length}: ${what} …`)
    // A build that fails halfway leaves a folder that is of no use, whatever its stamp said.
    if (kind !== 'types') rmSync(stamp, { force: true })
    runQuietly('npm', ['run', '--silent', 'build', '-w', `@plumbline/${name}`], { PLUMBLINE_BUILD: kind })
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, kind === 'run' ? withoutTypes(wanted) : wanted)
  }
}

const withoutTypes = (wanted) => `${wanted} without declarations`

/** What is to be built, of which kind: everything, all but the declarations, or the declarations alone. */
function staleTasks({ types }) {
  return everyPackage().flatMap((each) => {
    const found = existsSync(each.stamp) ? readFileSync(each.stamp, 'utf8') : null
    if (found === each.wanted) return []
    // A server may be running from these files, so they stay as they are.
    if (found === withoutTypes(each.wanted)) return types ? [{ ...each, kind: 'types' }] : []
    return [{ ...each, kind: types || !each.hasTypes ? 'all' : 'run' }]
  })
}

/** Each package with the place of its stamp, and what the stamp of a complete build says. */
function everyPackage() {
  const digests = new Map()
  return PACKAGES.map(({ name, after, hasTypes }) => {
    const folder = join(root, 'packages', name)
    const own = hash([
      ...sources(join(folder, 'src')),
      ...['package.json', 'tsup.config.ts', 'tsconfig.json'].map((file) => join(folder, file)),
      ...['tsconfig.base.json', 'tsconfig.json', 'package-lock.json', 'scripts/declarations.ts'].map((file) =>
        join(root, file),
      ),
    ])
    const wanted = createHash('sha256')
      .update([own, ...after.map((each) => digests.get(each))].join('\n'))
      .digest('hex')
    digests.set(name, wanted)
    return { name, hasTypes, wanted, stamp: join(folder, 'dist', '.plumbline-stamp') }
  })
}

function sources(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test(-d)?\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function hash(files) {
  const digest = createHash('sha256')
  for (const file of files)
    digest
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return digest.digest('hex')
}
