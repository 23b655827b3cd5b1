/**
 * Compiles the rules to a module, deploys worker and module to a runtime without Node, and fails if an answer differs
 * from the verdict of the engine.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// In Node, modules in a separate context need a flag. Real edge runtimes do not.
if (!process.execArgv.includes('--experimental-vm-modules')) {
  const again = ['--experimental-vm-modules', '--no-warnings', fileURLToPath(import.meta.url)]
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1)
}

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const { deploy } = await import('./edge-runtime.mjs')
const cli = join(dirname(fileURLToPath(import.meta.resolve('@plumbline/cli/package.json'))), 'bin', 'plumbline.js')

/** The build: rule files in, one module out. */
const build = ['compile', here('rules'), '--regex', 'reject', '--output', here('dist/rules.js')]
const compiled = spawnSync(process.execPath, [cli, ...build], { encoding: 'utf8' })
assert.equal(compiled.status, 0, compiled.stderr)
const rulesModule = readFileSync(here('dist/rules.js'), 'utf8')
assert.doesNotMatch(rulesModule, /^import /m)
console.log(`4 rules compiled to one module of ${(rulesModule.length / 1024).toFixed(1)} KiB that imports nothing`)

const files = { 'worker.mjs': readFileSync(here('worker.mjs'), 'utf8'), 'dist/rules.js': rulesModule }
const worker = await deploy(files, 'worker.mjs')
const post = async (body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await worker.fetch(new Request('https://edge.example.com/plugins', { method: 'POST', body: text }))
  return { status: response.status, body: await response.json() }
}

const plugins = [
  { name: 'build', version: '1.4.2', image: 'registry.example.com/build/node:20.20', env: { CI: 'true' } },
  { name: 'early', version: '0.4.2', image: 'registry.example.com/build/node:20.20' },
  { name: 'moving', version: 'latest', image: 'registry.example.com/build/node:latest' },
  { name: 'leaky', version: '1.0.0', env: { npm_token: 'placeholder' } },
  { name: 'hidden', version: ['1.0.0'], image: [':latest', ['nested']] },
  {},
]

const { compileRules } = await import('@plumbline/engine')
const { parse } = await import('yaml')
const ruleSet = compileRules(parse(readFileSync(here('rules/uploads.yaml'), 'utf8')).rules, { strict: true })
for (const plugin of plugins) {
  const { status, body } = await post(plugin)
  const expected = ruleSet.evaluate(plugin, { target: 'plugin' })
  assert.equal(status, expected.blocked ? 403 : 200)
  assert.deepEqual(
    body.violations.map(({ ruleName, message }) => [ruleName, message]),
    expected.violations.map(({ ruleName, message }) => [ruleName, message]),
  )
  const names = body.violations.map(({ ruleName }) => ruleName).join(', ') || 'nothing'
  console.log(`${status} ${plugin.name ?? '(empty)'}: ${names}`)
}
assert.deepEqual(
  await Promise.all([post({ version: '1.0.0' }), post({ version: 'x' }), post('{'), post('[]')]).then((answers) =>
    answers.map(({ status }) => status),
  ),
  [200, 403, 400, 400],
)

// Checks that the runtime lacks what it claims to lack. Otherwise the example would prove nothing.
const probe = await deploy(
  {
    'probe.mjs':
      "export default [typeof process, typeof require, typeof Buffer, (() => { try { return new Function('return 1')() } catch { return 'refused' } })()]",
  },
  'probe.mjs',
)
assert.deepEqual([...probe], ['undefined', 'undefined', 'undefined', 'refused'])
console.log('every answer is the verdict of the engine, in a runtime without Node and without code from strings')
