import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readTestFile } from './read-test-file.js'
import { testFileSchema } from './schema.js'

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
const isValid = ajv.compile(testFileSchema)

const folder = fileURLToPath(new URL('../../../../samples/tests/', import.meta.url))

const one = (test: object) => ({ tests: [test] })

describe('the schema of test files', () => {
  it('accepts the shipped tests', async () => {
    for (const name of await readdir(folder)) {
      const content: unknown = parse(await readFile(folder + name, 'utf8'), { merge: true })
      expect(isValid(content), `${name}: ${ajv.errorsText(isValid.errors)}`).toBe(true)
    }
  })

  it.each([
    ['cases of a rule', one({ rule: 'r', pass: { a: {} }, fail: { b: null }, skip: {} })],
    [
      'a test of an entity',
      one({ name: 'n', given: {}, expect: { verdict: 'block', violations: ['a', { rule: 'b' }] } }),
    ],
    ['a test of a file', one({ name: 'n', file: 'a.yaml', entity: 'e', expect: 'warn' })],
    ['a test of a rule', one({ name: 'n', rule: 'r', given: {}, expect: { outcome: 'fail', field: 'f' } })],
    [
      'settings',
      {
        rules: ['a'],
        target: 'plugin',
        now: '2026-01-01T00:00:00Z',
        raw: true,
        base: {},
        ...one({ rule: 'r', pass: {} }),
      },
    ],
    ['exemptions', one({ rule: 'r', exemptions: ['a', { ruleId: 'b', status: 'approved' }], skip: { c: {} } })],
    ['an unknown key', one({ rule: 'r', pas: {}, fail: {} })],
    ['no tests', { tests: [] }],
    ['a wrong verdict', one({ name: 'n', given: {}, expect: 'blocked' })],
    ['a verdict for a rule', one({ name: 'n', rule: 'r', given: {}, expect: 'block' })],
    ['no subject', one({ name: 'n', expect: 'pass' })],
    ['two subjects', one({ name: 'n', given: {}, file: 'a', expect: 'pass' })],
    [
      'a reason of a failing rule',
      one({ name: 'n', rule: 'r', given: {}, expect: { outcome: 'fail', reason: 'exempt' } }),
    ],
    ['a group without a rule', one({ pass: {} })],
    ['attributes that are a list', one({ rule: 'r', pass: { a: [] } })],
    ['an instant that is none', { now: 'today', ...one({ rule: 'r', pass: {} }) }],
    ['nothing expected', one({ name: 'n', given: {}, expect: {} })],
  ])('agrees with the reader on %s', (_, content) => {
    const { issues } = readTestFile(content)
    expect(isValid(content), `${ajv.errorsText(isValid.errors)} / ${JSON.stringify(issues)}`).toBe(issues.length === 0)
  })
})
