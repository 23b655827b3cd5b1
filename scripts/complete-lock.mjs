/**
 * `node scripts/complete-lock.mjs`: completes the lock file after `npm install`. npm records only the platform builds
 * that the current registry serves, and `npm ci` refuses a lock file that lacks the others. The package that needs a
 * platform build pins its exact version, so the missing entry is written from there. It has no integrity, because only
 * a download could give it.
 * npm also forgets the setting of packages that must not be compiled. Without it, `npm ci` would call a compiler, and
 * leave the package out if there is none.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Packages that contain their builds and set `"gypfile": false`. */
export const BUILT_ALREADY = ['node_modules/better-sqlite3']

const OS = {
  linux: 'linux',
  darwin: 'darwin',
  macos: 'darwin',
  win32: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  sunos: 'sunos',
  aix: 'aix',
  openharmony: 'openharmony',
}
const CPU = ['x64', 'arm64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

/** Entries for the platform builds that packages of the lock file need and that it lacks. */
export function missingPlatformBuilds(lock) {
  const missing = {}
  for (const [place, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (!/^\d+\.\d+\.\d+/.test(version)) continue
      if (candidates(place, name).some((path) => lock.packages[path] !== undefined)) continue
      const platform = platformOf(name)
      if (platform === null) continue
      const dev = entry.dev === true ? { dev: true } : {}
      missing[`node_modules/${name}`] = { version, ...platform, ...dev, optional: true }
    }
  }
  return missing
}

/** Where Node would look for the package, nearest first. */
function candidates(place, name) {
  const paths = [`${place === '' ? '' : `${place}/`}node_modules/${name}`]
  let at = place
  while (at.includes('/node_modules/')) {
    at = at.slice(0, at.lastIndexOf('/node_modules/'))
    paths.push(`${at}/node_modules/${name}`)
  }
  paths.push(`node_modules/${name}`)
  return paths
}

function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = words.map((word) => OS[word]).find((each) => each !== undefined)
  const cpu = words
    .map((word) => CPU.find((each) => each === word || (each === 'arm' && /^(armv7|arm-)/.test(word))))
    .find((each) => each !== undefined)
  if (os === undefined || cpu === undefined) return null
  const libc = words.some((word) => word.startsWith('musl'))
    ? { libc: ['musl'] }
    : words.some((word) => word.startsWith('gnu')) && os === 'linux'
      ? { libc: ['glibc'] }
      : {}
  return { cpu: [cpu], ...libc, os: [os] }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingPlatformBuilds(lock)
  const packages = { ...lock.packages, ...missing }
  for (const path of BUILT_ALREADY) packages[path] = { ...packages[path], gypfile: false }
  lock.packages = Object.fromEntries(
    Object.keys(packages)
      .sort((a, b) => a.localeCompare(b, 'en'))
      .map((key) => [key, packages[key]]),
  )
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`added ${Object.keys(missing).length} platform builds`)
}
