/**
 * Reads the content of a `*.plumbline-test.yaml` file into tests.
 * INVARIANT: never throws. Every mistake is reported, and a test with a mistake is not run.
 */
import type { Attributes, Exemption, Target } from '@plumbline/engine'
import { isRecord } from '../input/record.js'
import { FieldReader } from './field-reader.js'
import { pointerTo } from './json-pointer.js'
import { mergePatch } from './merge-patch.js'
import type { RuleTest, Subject, TestFile, TestFileIssue } from './model.js'
import { readExpectation, ruleOutcomes } from './read-expectation.js'

export const targets: readonly Target[] = ['plugin', 'pipeline']

const settingKeys = ['target', 'base', 'now', 'raw', 'exemptions']
const fileKeys = ['$schema', 'rules', 'tests', ...settingKeys]
const groupKeys = ['rule', ...ruleOutcomes, ...settingKeys]
const singleKeys = ['name', 'rule', 'given', 'file', 'entity', 'expect', ...settingKeys]

/** Settings of a file, a group or a test. Inner settings override outer ones, except that `base` is merged. */
interface Settings {
  readonly target: Target | null
  readonly base: unknown
  readonly now: string | null
  readonly raw: boolean
  readonly exemptions: readonly Exemption[]
}

type Fields = Readonly<Record<string, unknown>>

export function readTestFile(content: unknown): { readonly file: TestFile; readonly issues: readonly TestFileIssue[] } {
  const reader = new FieldReader()
  if (!isRecord(content)) {
    reader.refuse('', 'a test file is a map with a list under `tests`', 'start the file with `tests:`')
    return { file: { rules: [], tests: [] }, issues: reader.issues }
  }
  reader.checkKeys(content, '', fileKeys)
  const outermost: Settings = { target: null, base: {}, now: null, raw: false, exemptions: [] }
  const settings = readSettings(reader, content, '', outermost)
  const rules = reader.textList(content.rules, '/rules', 'a rule file, folder or glob')
  const entries = content.tests
  if (!Array.isArray(entries) || entries.length === 0) {
    reader.refuse('/tests', '`tests` is a list with at least one test', 'add a test with `rule`, `pass` and `fail`')
    return { file: { rules, tests: [] }, issues: reader.issues }
  }
  const tests = entries.flatMap((entry, index) => readEntry(reader, entry, `/tests/${index}`, settings))
  refuseSecondNames(reader, tests)
  return { file: { rules, tests }, issues: reader.issues }
}

function readEntry(reader: FieldReader, entry: unknown, pointer: string, outer: Settings): RuleTest[] {
  if (!isRecord(entry)) {
    reader.refuse(pointer, 'a test is a map', 'write `rule:` with `pass:` and `fail:`, or `name:` with `expect:`')
    return []
  }
  const has = (key: string) => Object.hasOwn(entry, key)
  const isGroup = ruleOutcomes.some(has) || (has('rule') && !['name', 'given', 'file', 'expect'].some(has))
  return isGroup ? readGroup(reader, entry, pointer, outer) : readSingle(reader, entry, pointer, outer)
}

/** Reads `rule`, and under `pass`, `fail` and `skip` the named cases with their attributes. */
function readGroup(reader: FieldReader, entry: Fields, pointer: string, outer: Settings): RuleTest[] {
  reader.checkKeys(entry, pointer, groupKeys)
  const settings = readSettings(reader, entry, pointer, outer)
  const rule = reader.text(entry.rule, `${pointer}/rule`, 'the rule that these cases judge')
  if (!ruleOutcomes.some((outcome) => Object.hasOwn(entry, outcome))) {
    reader.refuse(pointer, 'a rule without cases', 'add `pass:` and `fail:`, each with the attributes of its cases')
  }
  return ruleOutcomes.flatMap((outcome) => {
    const cases = entry[outcome]
    if (cases === undefined) return []
    if (!isRecord(cases)) {
      reader.refuse(
        `${pointer}/${outcome}`,
        `\`${outcome}\` is a map from the name of a case to its attributes`,
        `write \`${outcome}: { a short description: { field: value } }\``,
      )
      return []
    }
    return Object.entries(cases).flatMap(([name, given]): RuleTest[] => {
      const at = pointerTo(`${pointer}/${outcome}`, name)
      const subject = readGiven(reader, given, at, settings)
      if (subject === null || rule === null) return []
      const expectation = { kind: 'rule', rule, outcome } as const
      return [{ name: `${rule}: ${name}`, pointer: at, subject, expectation, ...inherited(settings) }]
    })
  })
}

/** Reads `name`, then `given` or `file`, then `expect`. */
function readSingle(reader: FieldReader, entry: Fields, pointer: string, outer: Settings): RuleTest[] {
  const issuesBefore = reader.issues.length
  reader.checkKeys(entry, pointer, singleKeys)
  const settings = readSettings(reader, entry, pointer, outer)
  const name = reader.text(entry.name, `${pointer}/name`, 'what the test shows, in words')
  const rule = entry.rule === undefined ? null : reader.text(entry.rule, `${pointer}/rule`, 'the name of one rule')
  const subject = readSubject(reader, entry, pointer, settings)
  const expectation = readExpectation(reader, entry.expect, `${pointer}/expect`, rule)
  if (reader.issues.length > issuesBefore || name === null || subject === null || expectation === null) return []
  return [{ name, pointer, subject, expectation, ...inherited(settings) }]
}

function inherited(settings: Settings): Pick<RuleTest, 'target' | 'exemptions' | 'now' | 'raw'> {
  const { target, exemptions, now, raw } = settings
  return { target, exemptions, now, raw }
}

function readSettings(reader: FieldReader, from: Fields, pointer: string, outer: Settings): Settings {
  if (from.base !== undefined && !isRecord(from.base)) {
    reader.refuse(`${pointer}/base`, '`base` is a map of attributes', 'write the attributes that the tests start from')
  }
  if (from.raw !== undefined && typeof from.raw !== 'boolean') {
    reader.refuse(`${pointer}/raw`, '`raw` is true or false', 'leave it out to evaluate what the platform would send')
  }
  return {
    target: from.target === undefined ? outer.target : reader.oneOf(from.target, `${pointer}/target`, targets),
    base: isRecord(from.base) ? mergePatch(outer.base, from.base) : outer.base,
    now: from.now === undefined ? outer.now : reader.instant(from.now, `${pointer}/now`),
    raw: typeof from.raw === 'boolean' ? from.raw : outer.raw,
    exemptions:
      from.exemptions === undefined
        ? outer.exemptions
        : readExemptions(reader, from.exemptions, `${pointer}/exemptions`),
  }
}

/** Names of waived rules, or complete exemptions. */
function readExemptions(reader: FieldReader, value: unknown, pointer: string): Exemption[] {
  if (!Array.isArray(value)) {
    reader.refuse(pointer, '`exemptions` is a list', 'write a list of rule names or of exemptions')
    return []
  }
  return value.flatMap((entry: unknown, index): Exemption[] => {
    const id = `exemption-${index + 1}`
    if (typeof entry === 'string') return [{ id, ruleId: entry }]
    if (isRecord(entry) && typeof entry.ruleId === 'string') return [{ id, ...entry, ruleId: entry.ruleId }]
    reader.refuse(`${pointer}/${index}`, 'an exemption names its rule', 'write the rule, or a map with `ruleId`')
    return []
  })
}

function readSubject(reader: FieldReader, entry: Fields, pointer: string, settings: Settings): Subject | null {
  if (entry.file === undefined) {
    if (entry.entity !== undefined) {
      reader.refuse(`${pointer}/entity`, '`entity` picks one of a file', 'add `file:` or leave `entity` out')
    }
    if (entry.given !== undefined) return readGiven(reader, entry.given, `${pointer}/given`, settings)
    reader.refuse(pointer, 'a test says what it is about', 'add `given:` with attributes, or `file:` with a path')
    return null
  }
  if (entry.given !== undefined) {
    reader.refuse(`${pointer}/file`, '`given` and `file` exclude each other', 'keep one of them')
    return null
  }
  const path = reader.text(entry.file, `${pointer}/file`, 'a path relative to this test file')
  const entity =
    entry.entity === undefined ? null : reader.text(entry.entity, `${pointer}/entity`, 'the name of one entity in it')
  return path === null ? null : { kind: 'file', path, entity }
}

function readGiven(reader: FieldReader, given: unknown, pointer: string, settings: Settings): Subject | null {
  if (given !== null && !isRecord(given)) {
    reader.refuse(pointer, 'attributes are a map', 'write `{ field: value }`, or `{}` for an entity without attributes')
    return null
  }
  const attributes = mergePatch(settings.base, given ?? {})
  return { kind: 'given', attributes: isRecord(attributes) ? (attributes as Attributes) : {} }
}

function refuseSecondNames(reader: FieldReader, tests: readonly RuleTest[]): void {
  const seen = new Set<string>()
  for (const test of tests) {
    if (seen.has(test.name)) {
      reader.refuse(test.pointer, `a second test is called \`${test.name}\``, 'give every test a name of its own')
    }
    seen.add(test.name)
  }
}
