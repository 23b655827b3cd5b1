/** Requirements for the repository as a whole. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BUILT_ALREADY, missingPlatformBuilds } from '../complete-lock.mjs'
import { sourceFiles } from './sources.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const packages = ['sqlite-node20', 'engine', 'audit-chain', 'billing-core', 'rules', 'client', 'server', 'cli']

test('the lock file names no download address, so that any registry serves it', () => {
  const resolved = Object.values(json('package-lock.json').packages as Record<string, { resolved?: string }>)
    .map((entry) => entry.resolved)
    .filter((address) => address !== undefined && /^[a-z]+:\/\//.test(address))
  expect(resolved).toEqual([])
})

test('no tracked file names a path of somebody’s machine', () => {
  const needle = join(root, '..').replace(/\/$/, '')
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  const guilty =
    needle.length < 4 ? [] : files.filter((file) => readFileSync(join(root, file), 'latin1').includes(`${needle}/`))
  expect(guilty).toEqual([])
})

/** The folders below `folder` that no README names as `name/`; a README names them in its table of folders. */
function unnamed(folder: string, readme: string): string[] {
  const text = existsSync(join(root, readme)) ? readFileSync(join(root, readme), 'utf8') : ''
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !new RegExp(`(?<![\\w-])${entry.name}/`).test(text))
    .map(({ name }) => `${readme}: ${name}/`)
}

test('a README says what each folder of the server is for', () => {
  const source = 'packages/server/src'
  const domains = readdirSync(join(root, source)).filter(
    (name) =>
      existsSync(join(root, source, name, 'operations.ts')) || existsSync(join(root, source, name, 'registration.ts')),
  )
  expect(domains.length).toBeGreaterThan(10)
  const missing = domains.flatMap((name) => unnamed(`${source}/${name}`, `${source}/${name}/README.md`))
  expect([...unnamed(source, 'packages/server/README.md'), ...missing]).toEqual([])
})

/**
 * Two words, even with a line break of a comment between them. "not only" after the first word is a different sentence.
 */
const TWO_WORDS = new RegExp(['\\bcan', '[\\s*/#>]+', 'not\\b(?!\\s+only)'].join(''), 'i')

test('“cannot” is one word in every tracked text', () => {
  expect(TWO_WORDS.test(['it can', 'not'].join('\n * '))).toBe(true)
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => TWO_WORDS.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

/**
 * Test files share the modules of a process. A mock reaches no module that an earlier file imported, so whether it
 * works depends on the order of the files. Replace a method of an object instead, and put it back afterwards.
 */
test('no test mocks a module', () => {
  const mocks = /\bvi\.(mock|doMock)\(/
  expect(mocks.test(['vi', "mock('node:fs')"].join('.'))).toBe(true)
  const tests = sourceFiles().filter(({ path }) => path.endsWith('.ts'))
  expect(tests.some(({ path }) => path.endsWith('.test.ts'))).toBe(true)
  expect(tests.filter(({ text }) => mocks.test(text)).map(({ path }) => path)).toEqual([])
})

test('the ignored folders include `node_modules` as a symbolic link', () => {
  expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('node_modules')
})

test.each(packages)('%s carries the licence, the engines and one version', (name) => {
  const manifest = json(`packages/${name}/package.json`)
  expect(manifest.license).toBe('Apache-2.0')
  expect(manifest.engines.node).toBe(name === 'sqlite-node20' ? '>=20.19 <22.14' : '>=20.19')
  expect(manifest.version).toBe(json('packages/engine/package.json').version)
})

test('every runtime dependency is permissively licensed', () => {
  /**
   * The licence of the fonts allows everyone to use, embed and redistribute them. Its name is in one of their files.
   */
  const fonts = ['dejavu-fonts-ttf']
  const permissive = /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|0BSD|\(MIT OR .*\))$/
  const lock = json('package-lock.json').packages as Record<string, { license?: string; dev?: boolean; link?: boolean }>
  const direct = packages.flatMap((name) => {
    const { dependencies = {}, optionalDependencies = {} } = json(`packages/${name}/package.json`)
    return Object.keys({ ...dependencies, ...optionalDependencies })
  })
  const bad = direct
    .filter((name) => !name.startsWith('@plumbline/') && !fonts.includes(name))
    .filter((name) => !permissive.test(lock[`node_modules/${name}`]?.license ?? ''))
  expect(bad).toEqual([])
})

test('the lock file holds every platform build that its packages ask for, so that `npm ci` runs everywhere', () => {
  expect(Object.keys(missingPlatformBuilds(json('package-lock.json')))).toEqual([])
})

test('a start installs what the builds of the server and the command line import, where those builds find it', () => {
  const lock = json('package-lock.json').packages as Record<string, { dev?: boolean }>
  const bundled = Object.keys(json('packages/cli/package.json').devDependencies).filter(
    (name) => !name.startsWith('@types/') && !name.startsWith('@plumbline/'),
  )
  const wanted = Object.keys(json('scripts/package.json').dependencies)
  expect(wanted).toEqual(expect.arrayContaining([...bundled, 'swagger-ui-dist', 'tsup']))
  for (const name of wanted) {
    expect(lock[`node_modules/${name}`]?.dev, `${name} is left out`).toBeUndefined()
    const second = ['cli', 'client', 'server'].filter((each) => lock[`packages/${each}/node_modules/${name}`])
    expect(second, `${name} has a second copy, which a start does not install`).toEqual([])
  }
})

test('the lock file has nothing built that brings its builds along, so that `npm ci` needs no compiler for it', () => {
  const lock = json('package-lock.json').packages as Record<string, { gypfile?: boolean }>
  expect(BUILT_ALREADY.filter((path) => lock[path]?.gypfile !== false)).toEqual([])
})

test('the server installs on Node 22.14 and newer without a compiler: only what older ones need has an install script', () => {
  const lock = json('package-lock.json').packages as Record<
    string,
    { version: string; optional?: boolean; dev?: boolean; hasInstallScript?: boolean }
  >
  expect(json('packages/server/package.json').optionalDependencies).toHaveProperty('@plumbline/sqlite-node20')
  expect(lock['node_modules/better-sqlite3']?.version).toMatch(/^13\./)
  // Only builds need these install scripts. A start in a clone runs none.
  const isOfBuilds = (path: string) => path.endsWith('/esbuild') || path.endsWith('/@scarf/scarf')
  const built = Object.entries(lock).filter(
    ([path, entry]) => entry.hasInstallScript === true && entry.dev !== true && !isOfBuilds(path),
  )
  expect(built.map(([path]) => path)).toContain('packages/sqlite-node20/node_modules/better-sqlite3')
  expect(built.filter(([, entry]) => entry.optional !== true)).toEqual([])
})
