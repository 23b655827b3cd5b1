/**
 * The command as a process: bundled like the package and started with node. There are few cases, because each start
 * takes time.
 */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badPlugin, goodPlugin, rulesYaml, workspace } from './support/workspace.js'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
/** Inside the package, so that its dependencies resolve. */
const place = join(packageRoot, 'node_modules', '.plumbline-test', String(process.pid))
const bin = join(place, 'bin', 'plumbline.mjs')
let metafile: Metafile

const workspaceSources: Plugin = {
  name: 'workspace-sources',
  setup({ onResolve }) {
    onResolve({ filter: /^@plumbline\// }, ({ path, resolveDir, kind }) => {
      const [, name, subpath] = path.split('/')
      const file =
        subpath === undefined ? 'src/index.ts' : subpath === 'node' ? 'src/node.ts' : `src/${subpath}/index.ts`
      return { path: join(packageRoot, '..', name ?? '', file), pluginData: { resolveDir, kind } }
    })
  },
}

beforeAll(async () => {
  const result = await build({
    entryPoints: { main: join(packageRoot, 'src/main.ts'), 'check-worker': join(packageRoot, 'src/check/worker.ts') },
    outdir: join(place, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    metafile: true,
    external: [
      'commander',
      'picocolors',
      'picomatch',
      'yaml',
      're2js',
      'esbuild',
      're2-wasm',
      '@noble/*',
      'canonicalize',
    ],
    plugins: [workspaceSources],
    logLevel: 'silent',
  })
  metafile = result.metafile
  mkdirSync(join(place, 'bin'), { recursive: true })
  writeFileSync(join(place, 'dist', 'package.json'), '{"type": "module"}')
  writeFileSync(bin, "import { main } from '../dist/main.js'\nprocess.exitCode = await main(process.argv.slice(2))\n")
})

afterAll(() => rmSync(place, { recursive: true, force: true }))

function plumbline(cwd: string, args: readonly string[], input = ''): SpawnSyncReturns<string> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  return spawnSync(process.execPath, [bin, ...args], { cwd, input, encoding: 'utf8', env })
}

describe('the plumbline process', () => {
  it('loads neither the engine nor YAML to start', () => {
    const reached = new Set<string>()
    const visit = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { path, kind, external } of metafile.outputs[file]?.imports ?? []) {
        if (kind !== 'import-statement') continue
        if (external === true) reached.add(path)
        else visit(path)
      }
    }
    const main = Object.keys(metafile.outputs).find((file) => file.endsWith('/main.js'))
    visit(main ?? '')
    const sources = [...reached].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}))
    expect(sources.some((file) => file.endsWith('src/program/parse.ts'))).toBe(true)
    expect(
      sources.filter((file) =>
        /packages\/engine\/(?!src\/words\/)|src\/(input|report(?!\/format-name))\/|(run|worker)\.ts$/.test(file),
      ),
    ).toEqual([])
    expect(
      [...reached].filter((name) => /^(yaml|re2js|picomatch|node:worker_threads|node:child_process)$/.test(name)),
    ).toEqual([])
  })

  it('answers with the exit codes, data on stdout and the rest on stderr', () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'good.yaml': goodPlugin, 'bad.yaml': badPlugin })
    expect(plumbline(space.root, ['--version'])).toMatchObject({ status: 0, stderr: '' })
    expect(plumbline(space.root, ['check', 'good.yaml', '-r', 'rules.yaml'])).toMatchObject({ status: 0, stderr: '' })
    const bad = plumbline(space.root, ['check', 'bad.yaml', '-r', 'rules.yaml', '-f', 'json'])
    expect(bad.status).toBe(1)
    expect(JSON.parse(bad.stdout).findings).toHaveLength(3)
    expect(plumbline(space.root, ['check', '--nonsense'])).toMatchObject({ status: 2, stdout: '' })
    expect(plumbline(space.root, ['check', '-', '-r', 'rules.yaml'], '').status).toBe(3)
    expect(plumbline(space.root, ['check', '-', '-r', 'rules.yaml'], badPlugin).status).toBe(1)
  })

  it('gives the same report over several threads, in the same order', () => {
    const space = workspace({ 'rules.yaml': rulesYaml })
    for (let index = 0; index < 70; index++) {
      const text =
        index % 7 === 0 ? 'name: [\n' : (index % 2 === 0 ? badPlugin : goodPlugin).replace('web', `p${index}`)
      space.write(`plugins/${String(index).padStart(3, '0')}.yaml`, text)
    }
    const run = (jobs: string) =>
      plumbline(space.root, [
        'check',
        'plugins',
        '-r',
        'rules.yaml',
        '-f',
        'json',
        '--as-of',
        '2026-01-01',
        '--jobs',
        jobs,
      ])
    const [one, four] = [run('1'), run('4')]
    expect(one.status).toBe(3)
    expect(four.stdout).toBe(one.stdout)
    expect(four.status).toBe(one.status)
  })

  it.skipIf(!existsSync('/dev/full'))('exits 2 when its report does not reach standard output', () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'good.yaml': goodPlugin })
    const command = `"${process.execPath}" "${bin}" check good.yaml --rules rules.yaml > /dev/full`
    const { status, stderr } = spawnSync(command, { cwd: space.root, shell: true, encoding: 'utf8' })
    expect(stderr).toContain('standard output cannot be written (ENOSPC)')
    expect(status).toBe(2)
  })

  it('keeps its exit code when the reader goes away', async () => {
    const space = workspace({
      'rules.yaml': rulesYaml,
      'many.ndjson': '{"name":"a","version":"1","timeout":99}\n'.repeat(5000),
    })
    const child = spawn(process.execPath, [bin, 'check', 'many.ndjson', '-r', 'rules.yaml', '-f', 'ndjson'], {
      cwd: space.root,
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout.once('data', () => child.stdout.destroy())
    const status = await new Promise((resolve) => child.on('close', resolve))
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' })
  })
})
