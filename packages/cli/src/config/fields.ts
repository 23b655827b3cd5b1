/**
 * Everything that a configuration file can set, in one table. The checks, `config print` and the documentation follow
 * from it.
 * INVARIANT: a field has the name of its option, if there is one.
 */

import type { JsonSchema } from '@plumbline/engine'
import {
  checked,
  type FieldCheck,
  fileSchema,
  isAnything,
  isBoolean,
  isRecord,
  isText,
  isTextList,
  isWhole,
  oneOf,
  type RecordFields,
  recordSchema,
} from '../input/record.js'
import { formats } from '../report/format-name.js'

/** The values of a configuration after all defaults. Paths are relative to the `base` of their setting. */
export interface ConfigValues {
  readonly rules: readonly string[]
  readonly files: readonly string[]
  readonly ignore: readonly string[]
  readonly exemptions: readonly string[]
  readonly baseline: string | null
  readonly tests: readonly string[]
  readonly target: 'plugin' | 'pipeline' | null
  readonly failOn: 'warning' | 'error' | 'critical' | 'none'
  readonly noMatch: 'ok' | 'warn' | 'fail'
  readonly failOnNoRules: boolean
  readonly format: readonly string[]
  readonly raw: boolean
  readonly jobs: number | null
  readonly limits: {
    readonly keys?: number
    readonly depth?: number
    readonly nodes?: number
    readonly regexLength?: number
  }
  readonly maxFileBytes: number
}

export type ConfigName = keyof ConfigValues

export interface ConfigField {
  readonly description: string
  readonly default: unknown
  readonly check: FieldCheck
  /** The key of the option in an invocation, if it differs from the one that its notation gives. */
  readonly option?: string
}

const formatText = { type: 'string', pattern: `^(${formats.join('|')})(=[^]*)?$` }

const isFormat = checked({ anyOf: [formatText, { type: 'array', items: formatText }] }, (value) => {
  const list = typeof value === 'string' ? [value] : value
  if (isTextList(list) !== null) return 'expected a format or a list of formats'
  const wrong = (list as string[]).find(
    (entry) => !formats.some((name) => entry === name || entry.startsWith(`${name}=`)),
  )
  return wrong === undefined ? null : `\`${wrong}\` is not one of ${formats.join(', ')}`
})

const isTextOrList = checked({ anyOf: [isText.schema, isTextList.schema] }, (value) =>
  isText(value) === null ? null : isTextList(value),
)

const isBound = isWhole(1, 10_000_000)
const limitFields: RecordFields = {
  keys: { check: isBound },
  depth: { check: isBound },
  nodes: { check: isBound },
  regexLength: { check: isBound },
}

const isLimits = checked(recordSchema(limitFields), (value) => {
  if (!isRecord(value)) return 'expected an object'
  for (const [key, bound] of Object.entries(value)) {
    if (!Object.hasOwn(limitFields, key)) return `unknown limit \`${key}\``
    if (isBound(bound) !== null) return `\`${key}\`: expected a whole number of at least 1`
  }
  return null
})

export const configFields: { readonly [name in ConfigName]: ConfigField } = {
  rules: { description: 'rule files, folders or globs', default: [], check: isTextOrList },
  files: { description: 'what `check` checks when it is given no files', default: [], check: isTextOrList },
  ignore: { description: 'globs of files to leave out of folders and globs', default: [], check: isTextOrList },
  exemptions: { description: 'exemption files', default: [], check: isTextOrList },
  baseline: { description: 'file of accepted findings', default: null, check: isText },
  tests: { description: 'rule tests', default: [], check: isTextOrList },
  target: { description: 'kind of every entity', default: null, check: oneOf('plugin', 'pipeline') },
  failOn: {
    description: 'lowest severity that gives exit 1',
    default: 'error',
    check: oneOf('warning', 'error', 'critical', 'none'),
  },
  noMatch: {
    description: 'what a folder or glob without a match means, and a file whose list is empty',
    default: 'fail',
    check: oneOf('ok', 'warn', 'fail'),
    option: 'match',
  },
  failOnNoRules: { description: 'exit 2 when no rule applies to a target', default: false, check: isBoolean },
  format: { description: 'report formats, each with =file to write a file', default: [], check: isFormat },
  raw: { description: 'evaluate files as written', default: false, check: isBoolean },
  jobs: { description: 'worker threads', default: null, check: isWhole(1, 64) },
  limits: { description: 'bounds of an entity and of a pattern', default: {}, check: isLimits },
  maxFileBytes: { description: 'largest file that is read', default: 16 * 1024 * 1024, check: isWhole(1, 1 << 30) },
}

/** The table a configuration file is checked against. */
export const configFileFields: RecordFields = { $schema: { check: isAnything }, ...configFields }

/** JSON Schema of a configuration file, for editors. */
export const configSchema: JsonSchema = fileSchema(
  'Configuration of the plumbline gate',
  recordSchema(configFileFields),
)

/** A single text stands for a list with one entry. */
export function normaliseConfigValue(name: ConfigName, value: unknown): unknown {
  return Array.isArray(configFields[name].default) && typeof value === 'string' ? [value] : value
}
