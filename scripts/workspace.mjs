/**
 * What the root commands share: install when the lock file changed, build the packages whose sources changed, run a
 * command. Nothing here needs an installed package, because these scripts are what installs them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** In build order: a package stands after those it is built from. */
const PACKAGES = [
  { name: 'engine', after: [] },
  { name: 'audit-chain', after: [] },
  { name: 'billing-core', after: [] },
  { name: 'client', after: [] },
  { name: 'server', after: ['audit-chain', 'billing-core'] },
  { name: 'cli', after: ['engine', 'audit-chain', 'billing-core', 'client'] },
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

/** Builds the packages whose sources, settings or dependencies changed since their last build. */
export function buildIfStale({ force = false } = {}) {
  const stamps = new Map()
  for (const { name, after } of PACKAGES) {
    const folder = join(root, 'packages', name)
    const own = hash([
      ...sources(join(folder, 'src')),
      ...['package.json', 'tsup.config.ts', 'tsconfig.json'].map((file) => join(folder, file)),
      ...['tsconfig.base.json', 'tsconfig.json', 'package-lock.json'].map((file) => join(root, file)),
    ])
    const wanted = createHash('sha256')
      .update([own, ...after.map((each) => stamps.get(each))].join('\n'))
      .digest('hex')
    stamps.set(name, wanted)
    const stamp = join(folder, 'dist', '.plumbline-stamp')
    if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue
    console.error(`Building @plumbline/${name} …`)
    run('npm', ['run', '--silent', 'build', '-w', `@plumbline/${name}`], { stdio: ['ignore', 2, 2] })
    mkdirSync(join(folder, 'dist'), { recursive: true })
    writeFileSync(stamp, wanted)
  }
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
