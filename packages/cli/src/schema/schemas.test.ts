/** Schemas and readers agree: what an editor marks is what the command line refuses. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { baselineText } from '../check/baseline-file.js'
import { configFileFields } from '../config/fields.js'
import { starterFiles } from '../init/starter-files.js'
import { loadExemptions } from '../input/exemptions.js'
import { diskTree } from '../input/file-tree.js'
import { checkRecord } from '../input/record.js'
import { type SchemaKind, schemaKinds } from './kinds.js'
import { schemaText } from './schemas.js'

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
const validators = new Map(schemaKinds.map((kind) => [kind, ajv.compile(JSON.parse(schemaText(kind)))]))

const faults = (kind: SchemaKind, value: unknown): string | null => {
  const validate = validators.get(kind)
  return validate?.(value) === true ? null : ajv.errorsText(validate?.errors)
}

const samples = fileURLToPath(new URL('../../../../samples/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plumbline-schema-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MARK = /^# yaml-language-server: \$schema=(\S+)\n/

describe('the schemas', () => {
  it.each(['rules', 'tests'])('accept every sample of %s', (name) => {
    const files = readdirSync(join(samples, name)).filter((file) => /\.ya?ml$/.test(file))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      for (const document of parseAllDocuments(readFileSync(join(samples, name, file), 'utf8'))) {
        expect(faults(name === 'rules' ? 'rules' : 'test', document.toJS()), file).toBeNull()
      }
    }
  })

  it('accept a file of rules, and records with their kind, as documents of `apply`', () => {
    const rules = parse(readFileSync(join(samples, 'rules', readdirSync(join(samples, 'rules'))[0] as string), 'utf8'))
    expect(faults('documents', rules)).toBeNull()
    expect(faults('documents', { kind: 'Policy', name: 'base', version: '1.0.0', rules: ['a'] })).toBeNull()
    expect(faults('documents', [{ kind: 'Pipeline', project: 'web', organization: 'acme', props: {} }])).toBeNull()
    expect(faults('documents', { name: 'base' })).not.toBeNull()
    expect(faults('documents', { kind: 'Policy', name: 'base', rulse: [] })).not.toBeNull()
  })

  it('accept a baseline as it is written', () => {
    const entry = { fingerprint: 'f1', rule: 'r', file: 'a.yaml', entity: '', field: 'name' }
    expect(faults('baseline', JSON.parse(baselineText([entry])))).toBeNull()
    expect(faults('baseline', { version: 2, findings: [] })).not.toBeNull()
  })

  it('stand in the repository where the files of `plumbline init` look for them', () => {
    const files = starterFiles('github', [])
    const byPath = new Map(files.map(({ path, text }) => [path, text]))
    const marked = files.filter(({ text }) => MARK.test(text))
    expect(marked.map(({ path }) => path)).toEqual(
      files.map(({ path }) => path).filter((path) => /^(plumbline\.config|compliance\/(rules|tests)\/)/.test(path)),
    )
    for (const { path, text } of marked) {
      const named = join(path, '..', MARK.exec(text)?.[1] ?? '')
      const schema = byPath.get(named)
      expect(schema, `${path} names ${named}`).toBeDefined()
      const isValid = new Ajv2020({ strict: false, formats: { 'date-time': true } }).compile(JSON.parse(schema ?? ''))
      expect(isValid(parse(text)), path).toBe(true)
    }
  })
})

/** Values that fit some field, and values that fit none. */
const someValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 7, 64, 65, 1.5, -1, 20_000_000, '', ' ', 'a', 'plugin', 'pipeline'),
  fc.constantFrom<unknown>('warning', 'fail', 'pretty', 'json=out.json', 'jsonx', 'approved', '2026-01-31', 'soon'),
  fc.constantFrom<unknown>([], ['a'], ['a', ''], [1], ['sarif', 'json=x'], {}, { keys: 5 }, { keys: 0 }, { other: 1 }),
  fc.constantFrom<unknown>('2026-01-31T12:00:00Z', '2026-1-31', { project: 'a', organization: 'b' }),
  fc.constantFrom<unknown>({ name: 'a', version: '*' }, { name: 'a' }, { name: 'a', version: 'b', project: 'c' }),
)

const located = (value: unknown) => {
  const nowhere = { line: 1, column: 1 }
  return { file: 'x', ordinal: 0, value, positionOf: () => nowhere, endOf: () => nowhere, lineText: () => '' }
}

describe('schema and reader agree', () => {
  it('on a configuration', () => {
    const names = [...Object.keys(configFileFields).filter((name) => name !== '$schema'), 'unknown']
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), someValue, { maxKeys: 3 }), (config) => {
        const problems = checkRecord(located(config), [], config, configFileFields)
        expect(faults('config', config) === null, JSON.stringify([config, problems])).toBe(problems.length === 0)
      }),
      { numRuns: 500 },
    )
  })

  it('on exemptions, in both shapes of the file', async () => {
    const names = ['status', 'expiresAt', 'orgId', 'entityType', 'entityId', 'entityKey', 'reason', 'owner', 'unknown']
    const entry = fc
      .tuple(fc.dictionary(fc.constantFrom(...names), someValue, { maxKeys: 3 }), fc.boolean())
      .map(([fields, isNamed]) => ({ ...(isNamed ? { id: 'a', ruleId: 'r' } : { id: 'a' }), ...fields }))
    await fc.assert(
      fc.asyncProperty(entry, fc.boolean(), async (exemption, isList) => {
        const content = isList ? [exemption] : { exemptions: [exemption] }
        writeFileSync(join(folder, 'exemptions.json'), JSON.stringify(content))
        const read = await loadExemptions(diskTree, ['exemptions.json'], folder).then(
          () => null,
          (error: Error) => error,
        )
        expect(faults('exemptions', content) === null, JSON.stringify([content, read])).toBe(read === null)
      }),
      { numRuns: 200 },
    )
  })
})
