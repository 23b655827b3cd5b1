/**
 * What users install: every entry loads as ESM and as CommonJS, both have the same exports, and entries share their
 * modules.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a module in a separate process, away from the sources that the other tests use. */
const run = (type: 'module' | 'commonjs', source: string): string => {
  const result = spawnSync(process.execPath, [`--input-type=${type}`, '--eval', source], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(result.stderr).toBe('')
  return result.stdout.trim()
}

const entries = ['engine', 'audit-chain', 'billing-core', 'rules', 'client'].flatMap((name) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  return Object.keys(manifest.exports)
    .filter((path) => !path.endsWith('.json'))
    .map((path) => `${manifest.name}${path.slice(1)}`)
})

describe('every entry has the same exports as ESM and as CommonJS', () => {
  test.each(entries)('%s', (entry) => {
    const names = 'console.log(Object.keys(entry).sort().join())'
    const esm = run('module', `import * as entry from '${entry}'; ${names}`)
    const cjs = run('commonjs', `const entry = require('${entry}'); ${names}`)
    expect(esm).not.toBe('')
    expect(cjs).toBe(esm)
  })
})

/** The engine in an empty folder, with its dependencies and without optional peer packages. */
test.each([
  ['testing', 'fast-check', 'npm install --save-dev fast-check@4'],
  ['re2-wasm', 're2-wasm', 'npm install re2-wasm'],
])('`@plumbline/engine/%s` says how to install %s where it is missing', (entry, name, command) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-peer-'))
  try {
    const own = join(folder, 'node_modules', '@plumbline', 'engine')
    mkdirSync(own, { recursive: true })
    for (const part of ['dist', 'package.json']) {
      cpSync(join(root, 'packages', 'engine', part), join(own, part), { recursive: true })
    }
    cpSync(join(root, 'node_modules', 're2js'), join(folder, 'node_modules', 're2js'), { recursive: true })
    const said = `@plumbline/engine/${entry} needs ${name}, which is not installed: run \`${command}\``
    for (const [type, load] of [
      ['module', `import('@plumbline/engine/${entry}')`],
      ['commonjs', `new Promise((resolve) => resolve(require('@plumbline/engine/${entry}')))`],
    ] as const) {
      const result = spawnSync(
        process.execPath,
        [`--input-type=${type}`, '--eval', `${load}.catch(({ code, message }) => console.log(code, message))`],
        { cwd: folder, encoding: 'utf8' },
      )
      expect(result.stdout, result.stderr).toMatch(/^(ERR_)?MODULE_NOT_FOUND /)
      expect(result.stdout).toContain(said)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each([
  [
    'module',
    "import { compileRules } from '@plumbline/engine'; import { toModule } from '@plumbline/engine/standalone';",
  ],
  [
    'commonjs',
    "const { compileRules } = require('@plumbline/engine'); const { toModule } = require('@plumbline/engine/standalone');",
  ],
] as const)('a rule set of the root entry keeps its identity in another entry (%s)', (type, imports) => {
  const source = `${imports}
    const rules = compileRules([
      { id: 'off', name: 'off', target: 'plugin', isActive: false, field: 'x', operator: 'exists' },
      { id: 'on', name: 'on', target: 'plugin', conditions: [{ dependsOnRule: 'off' }, { field: 'x', operator: 'exists' }] },
    ])
    const here = JSON.stringify(rules.evaluate({}))
    import('data:text/javascript,' + encodeURIComponent(toModule(rules))).then((module) => {
      console.log(JSON.stringify(module.evaluate({})) === here ? 'same' : 'other')
    })`
  expect(run(type, source)).toBe('same')
})
