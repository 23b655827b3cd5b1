/**
 * Shared by the root commands: installs packages when the lock file changed, builds the packages whose sources changed,
 * and runs commands. It must not import an installed package, because it is what installs them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alone } from './alone.mjs'
import { endProgress, mustRun, runInOrder, runQuietly } from './progress.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

const LOCK = join(root, '.plumbline-lock')

const BUILD_HELPERS = ['scripts/declarations.ts', 'scripts/third-party-notices.ts']

/** The sources of the console may be missing. The server then says at the console's address that it has no console. */
const CONSOLE = existsSync(join(root, 'packages', 'console', 'vite.config.ts')) ? ['console'] : []

/** In build order: each package comes after those that it is built from. */
const PACKAGES = [
  { name: 'engine', after: [], hasTypes: true },
  { name: 'audit-chain', after: [], hasTypes: true },
  { name: 'billing-core', after: [], hasTypes: true },
  { name: 'rules', after: ['engine'], hasTypes: true },
  { name: 'client', after: [], hasTypes: true },
  ...CONSOLE.map((name) => ({ name, after: ['engine', 'client'], hasTypes: false })),
  { name: 'server', after: ['audit-chain', 'billing-core', 'rules', ...CONSOLE], hasTypes: true },
  { name: 'cli', after: ['engine', 'audit-chain', 'billing-core', 'rules', 'client'], hasTypes: false },
]

/** Runs a command in the root, with its output shown. Ends the process if the command fails. */
export function run(command, args, options = {}) {
  const code = status(command, args, options)
  if (code !== 0) process.exit(code)
}

/** Runs a command and returns its exit code. */
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

/** The path of the command of an installed package. */
export function tool(name) {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
}

/**
 * Installs what the lock file names, once per lock file and version of Node: native modules are built for one version,
 * or left out.
 *
 * @param {{ toRun?: boolean }} options `toRun: true` installs only what the server and the command line need to be
 * built and run, a third of the packages. A later call without it adds the rest and keeps what is there, because a
 * server may be running from it.
 */
export async function installIfNeeded({ toRun = false } = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Plumbline needs Node 20.19 or newer; this is ${process.versions.node}`)
    process.exit(1)
  }
  const stamp = join(root, 'node_modules', '.plumbline-stamp')
  const complete = `${hash([join(root, 'package-lock.json')])} ${process.versions.modules}`
  const installed = () => (existsSync(stamp) ? readFileSync(stamp, 'utf8') : null)
  const isDone = () => installed() === complete || (toRun && installed() === withoutTools(complete))
  if (isDone()) return
  await alone(LOCK, async () => {
    if (isDone()) return
    await install({ toRun, found: installed(), complete })
    writeFileSync(stamp, toRun ? withoutTools(complete) : complete)
  })
}

async function install({ toRun, found, complete }) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Install scripts are skipped: one of them compiles SQLite on Node 20, and `buildIfStale` does that in parallel with
  // the rest.
  if (toRun) {
    const part = ['--omit=dev', '--ignore-scripts', '--workspace', 'scripts']
    await mustRun('installing packages', 'npm', ['ci', ...part, ...quiet])
  } else if (found === withoutTools(complete)) {
    await mustRun('installing the tools of development', 'npm', ['install', '--no-save', ...quiet])
  } else await mustRun('installing packages', 'npm', ['ci', '--ignore-scripts', ...quiet])
}

const withoutTools = (complete) => `${complete} without tools`

/**
 * Builds the packages whose sources, settings or dependencies changed since their last build, two at a time if neither
 * depends on the other.
 *
 * @param {{ force?: boolean, types?: boolean }} options `types: false` leaves out the declarations, which are not
 * needed at run time and take half of the time. The stamp records it, and the next call that needs declarations adds
 * them.
 */
export async function buildIfStale({ force = false, types = true } = {}) {
  const tasks = () =>
    force ? everyPackage().map((each) => ({ ...each, kind: types ? 'all' : 'run' })) : staleTasks({ types })
  if (tasks().length > 0 || missingDriver() !== null) await alone(LOCK, () => buildAll(tasks()))
  endProgress()
}

async function buildAll(stale) {
  const tasks = stale.map((task, index) => ({
    name: task.name,
    // Declarations are generated from the declarations of other packages.
    after: task.kind === 'run' ? task.after : stale.slice(0, index).map(({ name }) => name),
    run: () => build(task),
  }))
  const driver = missingDriver()
  if (driver !== null) tasks.unshift({ name: 'driver', after: [], run: () => buildDriver(driver) })
  await runInOrder(tasks, availableParallelism())
}

async function build({ name, kind, stamp, wanted }) {
  const what = kind === 'types' ? `declarations of @plumbline/${name}` : `building @plumbline/${name}`
  // A failed build leaves an unusable folder, so its stamp is removed first.
  if (kind !== 'types') rmSync(stamp, { force: true })
  const args = ['run', '--silent', 'build', '-w', `@plumbline/${name}`]
  await mustRun(what, 'npm', args, { env: { PLUMBLINE_BUILD: kind } })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, kind === 'run' ? withoutTypes(wanted) : wanted)
}

/**
 * The folder of the SQLite driver for Node 20 (docs/decisions/0082-sqlite-driver-builds.md), if its build is missing.
 */
function missingDriver() {
  const folder = join(root, 'packages', 'sqlite-node20', 'node_modules', 'better-sqlite3')
  const isMissing = existsSync(folder) && !existsSync(join(folder, 'build', 'Release', 'better_sqlite3.node'))
  return isMissing ? folder : null
}

/** For commands that open databases without building the packages. */
export async function buildDriverIfMissing() {
  if (missingDriver() === null) return
  await alone(LOCK, async () => {
    const driver = missingDriver()
    if (driver !== null) await buildDriver(driver)
  })
}

/**
 * Downloads or compiles the driver with its own install script. If that fails, the start of the server says what is
 * missing.
 */
async function buildDriver(folder) {
  // SQLite recommends -O2. The default of the script, -O3, takes half as long again.
  const env = { CFLAGS: '-O2', CXXFLAGS: '-O2', JOBS: 'max' }
  await runQuietly('building the SQLite driver of Node 20', 'npm', ['run', '--silent', 'install'], { cwd: folder, env })
}

const withoutTypes = (wanted) => `${wanted} without declarations`

/** Which packages to build, and how: everything, everything except declarations, or only declarations. */
function staleTasks({ types }) {
  return everyPackage().flatMap((each) => {
    const found = existsSync(each.stamp) ? readFileSync(each.stamp, 'utf8') : null
    if (found === each.wanted) return []
    // A server may be running from these files, so they are not rebuilt.
    if (found === withoutTypes(each.wanted)) return types ? [{ ...each, kind: 'types' }] : []
    return [{ ...each, kind: types || !each.hasTypes ? 'all' : 'run' }]
  })
}

/** Each package with the path of its stamp, and the content of the stamp after a complete build. */
function everyPackage() {
  const digests = new Map()
  return PACKAGES.map(({ name, after, hasTypes }) => {
    const folder = join(root, 'packages', name)
    const own = hash([
      ...sources(join(folder, 'src')),
      ...['package.json', 'tsup.config.ts', 'tsconfig.json', 'vite.config.ts', 'index.html']
        .map((file) => join(folder, file))
        .filter((file) => existsSync(file)),
      ...['tsconfig.base.json', 'tsconfig.json', 'package-lock.json', ...BUILD_HELPERS].map((file) => join(root, file)),
    ])
    const wanted = createHash('sha256')
      .update([own, ...after.map((each) => digests.get(each))].join('\n'))
      .digest('hex')
    digests.set(name, wanted)
    return { name, after, hasTypes, wanted, stamp: join(folder, 'dist', '.plumbline-stamp') }
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
