/**
 * Installs the packed packages into an empty folder without a network, as users would: checks the number of packages,
 * their size, and that the commands run.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'plumbline-packed-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const npm = (folder: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

const pack = (name: string): Packed => {
  const [packed] = JSON.parse(
    npm(root, 'pack', '-w', `@plumbline/${name}`, '--pack-destination', place, '--ignore-scripts', '--json'),
  )
  return packed
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, path, name }) => sum + statSync(join(parentPath ?? path, name)).size, 0)

describe('npm pack', () => {
  const PREPACK = 'node ../../scripts/prepack.mjs'
  const prepack = (folder: string) =>
    spawnSync(process.execPath, [join(root, 'scripts/prepack.mjs')], { cwd: folder, encoding: 'utf8' })
  const published = readdirSync(join(root, 'packages')).filter((name) => {
    const { private: isPrivate, scripts } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
    )
    return isPrivate !== true && scripts?.build !== undefined
  })

  test.each(published)('of %s looks first whether its build is whole, and it is', (name) => {
    const folder = join(root, 'packages', name)
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(scripts.prepack).toBe(PREPACK)
    expect(prepack(folder)).toMatchObject({ status: 0, stderr: '' })
  })

  test('names each file that the build lacks, and what to do', () => {
    const folder = join(place, 'unbuilt')
    mkdirSync(join(folder, 'dist'), { recursive: true })
    writeFileSync(join(folder, 'dist', 'index.js'), '')
    const index = { import: { types: './dist/index.d.ts', default: './dist/index.js' } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'unbuilt', exports: { '.': index } }))
    const { status, stderr } = prepack(folder)
    expect(status).toBe(1)
    expect(stderr).toBe(
      'unbuilt is not packed, because its build lacks ./dist/index.d.ts: run `npm run build` in the root of the clone first\n',
    )
  })
})

describe('the command line, packed', () => {
  const folder = join(place, 'user')
  let packed: Packed
  const plumbline = (...args: string[]) =>
    spawnSync(process.execPath, [join(folder, 'node_modules', '@plumbline', 'cli', 'bin', 'plumbline.js'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', PLUMBLINE_URL: '', GITHUB_ACTIONS: '' },
    })

  beforeAll(() => {
    packed = pack('cli')
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    npm(folder, 'install', '--save-dev', '--offline', join(place, packed.filename))
  })

  test('is one package of at most 3 MB', () => {
    const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
    expect(Object.keys(lock.packages)).toEqual(['node_modules/@plumbline/cli'])
    expect(bytesIn(join(folder, 'node_modules'))).toBeLessThanOrEqual(3_000_000)
  })

  test('holds no test, no source map and no stamp of the build', () => {
    expect(
      packed.files
        .map(({ path }) => path)
        .filter((path) => /(^|\/)tests?\/|\.test\.|\.map$|\.ts$|stamp|metafile/.test(path)),
    ).toEqual([])
  })

  test('names what it is made of, with the licences', () => {
    const notices = readFileSync(join(folder, 'node_modules/@plumbline/cli/dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    const named = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \((.*)\)$/gm)]
    expect(named.map(([, name]) => name)).toEqual([
      ...['@noble/ciphers', '@noble/curves', '@noble/hashes', 'commander', 'eventsource-parser', 'fflate'],
      ...['openapi-fetch', 'picocolors', 'picomatch', 're2js', 'yaml'],
    ])
    expect(named.filter(([, , licence]) => !/^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0)$/.test(licence ?? ''))).toEqual([])
  })

  test('says its version, makes a starting point and passes on it', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
    expect(plumbline('--version')).toMatchObject({ status: 0, stdout: `plumbline ${version}\n` })
    expect(plumbline('init')).toMatchObject({ status: 0 })
    expect(existsSync(join(folder, 'plumbline.config.yaml'))).toBe(true)
    // The YAML library is loaded only for this format.
    expect(plumbline('doctor', '--format', 'yaml').stdout).toMatch(/^\S+:/)
    for (const command of ['check', 'lint', 'test', 'doctor']) {
      const { status, stdout, stderr } = plumbline(command)
      expect(status, `${command}: ${stdout}${stderr}`).toBe(0)
    }
  })

  test('finds in several threads what it finds in one', () => {
    const many = join(folder, 'many')
    mkdirSync(many)
    for (let index = 0; index < 400; index++) {
      writeFileSync(join(many, `p${index}.yaml`), `name: p${index}\nversion: not-a-version\nusesRootUser: true\n`)
    }
    const found = (jobs: string) => {
      const { status, stdout } = plumbline('check', 'many', '--target', 'plugin', '--format', 'json', '--jobs', jobs)
      expect(status).toBe(1)
      return JSON.parse(stdout).findings ?? JSON.parse(stdout).results
    }
    expect(found('1').length).toBeGreaterThan(0)
    expect(found('2')).toEqual(found('1'))
  })

  test('says how to install the server where a command needs it', () => {
    const { status, stderr } = plumbline('serve')
    expect(status).toBe(2)
    expect(stderr).toContain('this command needs the server, which is not installed')
    expect(stderr).toMatch(/npm install @plumbline\/server@\d+\.\d+\.\d+/)
  })

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder })
  const shell = (script: string, env: Record<string, string> = {}) =>
    spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', ...env } })
  const badPlugin = () => writeFileSync(join(folder, 'plugins', 'example.yaml'), 'name: example\nversion: none\n')

  test('its hooks for pre-commit pass on the starting point, and stop a plugin that is staged and breaks a rule', () => {
    const hooks: readonly { id: string; entry: string }[] = parse(
      readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'),
    )
    writeFileSync(join(folder, '.gitignore'), 'node_modules\nmany\n')
    git('init', '-q')
    git('add', '-A')
    git('commit', '-q', '-m', 'Start')
    for (const { id, entry } of hooks) {
      const { status, stdout, stderr } = shell(entry)
      expect(status, `${id}: ${stdout}${stderr}`).toBe(0)
    }
    badPlugin()
    git('add', '-A')
    const check = hooks.find(({ id }) => id === 'plumbline-check')
    const { status, stdout } = shell(check?.entry ?? '')
    expect(status, stdout).toBe(1)
    expect(stdout).toContain('plugins/example.yaml')
    git('reset', '-q', '--hard')
  })

  test('the step of its action runs the command that an input names, and nothing else', () => {
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
    const step = action.runs.steps.at(-1)
    expect(step.env.PLUMBLINE_ARGS).toMatch(/^\$\{\{ inputs\.args \}\}$/)
    const bin = join(folder, 'node_modules', '@plumbline', 'cli', 'bin', 'plumbline.js')
    const run = (args: string) => shell(`set -eo pipefail\n${step.run}`, { PLUMBLINE_BIN: bin, PLUMBLINE_ARGS: args })
    expect(run(action.inputs.args.default)).toMatchObject({ status: 0 })
    expect(run('lint')).toMatchObject({ status: 0 })
    expect(run('check; touch pwned').status).toBe(2)
    expect(run('check $(touch pwned)').status).toBe(2)
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
    for (const nothing of ['', ' \n ']) {
      const empty = run(nothing)
      expect([empty.status, empty.stdout]).toEqual([2, expect.stringMatching(/^::error .*`args` is empty/)])
    }
    badPlugin()
    expect(run('check').status).toBe(1)
    git('reset', '-q', '--hard')
  })
})

/** Runs the step of the Dockerfile with the npm of this machine. */
test('the image holds SQLite once, and no test, no source of it, no peer of tests and no dangling link', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  expect(dockerfile).toContain('node scripts/image-tree.mjs /app')
  const tree = join(place, 'image')
  execFileSync(process.execPath, ['scripts/image-tree.mjs', tree], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const entries = readdirSync(tree, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => relative(tree, join(entry.parentPath ?? entry.path, entry.name)))
  expect(readdirSync(tree).sort()).toEqual(['node_modules', 'packages'])
  expect(readdirSync(join(tree, 'packages')).sort()).toEqual([
    'audit-chain',
    'billing-core',
    'cli',
    'engine',
    'rules',
    'server',
  ])
  expect(paths.filter((path) => /(^|\/)better-sqlite3\/package\.json$/.test(path))).toEqual([
    'node_modules/better-sqlite3/package.json',
  ])
  const unwanted =
    /^packages\/.*\.test\.|^packages\/[^/]+\/(src|test|proof)$|@electric-sql|cedar|json-logic|drizzle-kit|fast-check|\/@?vitest(\/|$)|typescript$|better-sqlite3\/(deps|src)/
  expect(paths.filter((path) => unwanted.test(path))).toEqual([])
  expect(paths.filter((path) => !existsSync(join(tree, path)))).toEqual([])
  expect(bytesIn(tree)).toBeLessThan(130_000_000)
  const { stdout } = spawnSync(process.execPath, [join(tree, 'packages/cli/bin/plumbline.js'), '--version'], {
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^plumbline \d+\.\d+\.\d+\n$/)
}, 300_000)

test('the server, packed, holds the console with its compressed forms', () => {
  const [{ files }] = JSON.parse(
    npm(root, 'pack', '-w', '@plumbline/server', '--dry-run', '--ignore-scripts', '--json'),
  )
  const paths: string[] = files.map(({ path }: { path: string }) => path)
  expect(paths).toContain('dist/console/index.html')
  const first = paths.filter((path) => /^dist\/console\/assets\/(index|vendor)-[^/]+\.(js|css)$/.test(path))
  expect(first.length).toBeGreaterThanOrEqual(3)
  for (const path of first) for (const form of ['br', 'gz']) expect(paths).toContain(`${path}.${form}`)
})

describe('the image', () => {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')
  /** The two forms that the file uses: a folder of that name anywhere, and one at the root. */
  const isLeftOut = (path: string) =>
    patterns.some((pattern) =>
      pattern.startsWith('**/')
        ? path.split('/').includes(pattern.slice('**/'.length))
        : `${path}/`.startsWith(`${pattern.replace(/^\//, '')}/`),
    )

  test('is built without what a build makes, and with every file of the repository', () => {
    for (const made of [
      'node_modules/hono/index.js',
      'packages/engine/dist/index.js',
      'data/plumbline.db',
      '.git/HEAD',
    ])
      expect(isLeftOut(made), made).toBe(true)
    const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
    expect(tracked.length).toBeGreaterThan(1000)
    expect(tracked.filter(isLeftOut)).toEqual([])
  })
})

describe('a library for `require`', () => {
  it.each(['engine', 'rules', 'audit-chain', 'billing-core', 'client'])(
    '%s has `main` and `types`, which `moduleResolution: node10` reads',
    (name) => {
      const { main, types } = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), 'utf8'))
      expect({ main, types }).toEqual({
        main: './dist/index.cjs',
        types: expect.stringMatching(/^\.\/dist\/index\.d\.c?ts$/),
      })
    },
  )
})
