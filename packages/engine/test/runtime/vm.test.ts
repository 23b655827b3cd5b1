/** The engine without Node: bundled, in a context that has no Node globals and forbids code from strings. */
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { type BuildOptions, build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'

const entry = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

const bundle = async (options: BuildOptions): Promise<string> => {
  const { outputFiles } = await build({
    bundle: true,
    write: false,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    logLevel: 'silent',
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}

/** What runs inside: it may use nothing but the language and `engine`. */
const script = `
  (() => {
    const rules = [
      { name: 'version', target: 'plugin', field: 'version', operator: 'regex', value: '^\\\\d+\\\\.\\\\d+$' },
      { name: 'linear', target: 'plugin', field: 'name', operator: 'regex', value: '[a-z]+x', severity: 'warning' },
      { name: 'after', target: 'plugin', conditions: [{ dependsOnRule: 'version' }, { field: '$count(secrets)', operator: 'countLt', value: 2 }] },
    ]
    const set = engine.compileRules(rules, { strict: true })
    const evaluation = set.evaluate({ version: '1.0', name: 'abc', secrets: ['a', 'b'], at: new Date(0) }, { now: '2026-01-01T00:00:00Z' })
    return JSON.stringify({
      verdict: evaluation.violations.map((violation) => violation.ruleId),
      invalid: engine.validateRule({ name: 'x', target: 'plugin', field: 'a..b', operator: 'eq' }).length,
      text: engine.renderExplanation(engine.explain(set, {})).split('\\n').length > 1,
      impact: engine.previewImpact(rules, [{ id: '1', attributes: {} }]).length,
    })
  })()
`

describe('a runtime without Node', () => {
  let code = ''
  beforeAll(async () => {
    code = await bundle({ entryPoints: [entry], format: 'iife', globalName: 'engine' })
  })

  const run = (source: string): unknown =>
    runInContext(source, createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } }))

  it('is what the context is: no globals of Node, no code from strings', () => {
    expect(run('typeof process + typeof require + typeof Buffer + typeof TextEncoder')).toBe('undefined'.repeat(4))
    expect(() => run('new Function("return 1")()')).toThrow(/Code generation from strings/)
    expect(() => run('eval("1")')).toThrow(/Code generation from strings/)
  })

  it('compiles, evaluates, validates and explains', () => {
    expect(JSON.parse(run(`${code};${script}`) as string)).toEqual({
      verdict: ['linear', 'after'],
      invalid: 2,
      text: true,
      impact: 3,
    })
  })

  it('names no global of Node and no code from strings in its own source', async () => {
    const own = await bundle({ entryPoints: [entry], format: 'esm', external: ['re2js'], minify: false })
    for (const forbidden of [
      /\bnew Function\b/,
      /\beval\(/,
      /\bprocess\./,
      /\bBuffer\b/,
      /\brequire\(/,
      /\bglobalThis\b/,
      /\bDate\.now\b/,
      /\bMath\.random\b/,
    ]) {
      expect(own).not.toMatch(forbidden)
    }
  })
})
