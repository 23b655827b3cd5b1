/** Reads the expectation of a test, for one rule or for an entity. */
import type { Severity, SkipReason } from '@plumbline/engine'
import { isRecord } from '../input/record.js'
import type { FieldReader } from './field-reader.js'
import type { EntityExpectation, Expectation, ExpectedSkip, ExpectedViolation, RuleOutcome, Verdict } from './model.js'

export const ruleOutcomes: readonly RuleOutcome[] = ['pass', 'fail', 'skip']
export const verdicts: readonly Verdict[] = ['pass', 'warn', 'block']
export const severities: readonly Severity[] = ['warning', 'error', 'critical']
export const skipReasons: readonly SkipReason[] = [
  'not_effective',
  'dependency_failed',
  'dependency_skipped',
  'dependency_unavailable',
  'exempt',
]

/** `rule` is null for a test of an entity against the whole rule set. */
export function readExpectation(
  reader: FieldReader,
  expect: unknown,
  pointer: string,
  rule: string | null,
): Expectation | null {
  if (expect === undefined) {
    const fix = rule === null ? 'add `expect: { verdict: pass }` or a list of violations' : 'add `expect: pass`'
    reader.refuse(pointer, 'a test says what it expects', fix)
    return null
  }
  return rule === null ? readEntityExpectation(reader, expect, pointer) : readRule(reader, expect, pointer, rule)
}

function readRule(reader: FieldReader, expect: unknown, pointer: string, rule: string): Expectation | null {
  if (!isRecord(expect)) {
    const outcome = reader.oneOf(expect, pointer, ruleOutcomes)
    return outcome === null ? null : { kind: 'rule', rule, outcome }
  }
  reader.checkKeys(expect, pointer, ['outcome', 'field', 'reason'])
  const outcome = reader.oneOf(expect.outcome, `${pointer}/outcome`, ruleOutcomes)
  if (expect.field !== undefined && outcome !== 'fail') {
    reader.refuse(`${pointer}/field`, 'only a failing rule has a field', 'leave `field` out, or expect `fail`')
  }
  if (expect.reason !== undefined && outcome !== 'skip') {
    reader.refuse(`${pointer}/reason`, 'only a skipped rule has a reason', 'leave `reason` out, or expect `skip`')
  }
  const details = readDetails(reader, expect, pointer)
  return outcome === null ? null : { kind: 'rule', rule, outcome, ...details }
}

function readEntityExpectation(reader: FieldReader, expect: unknown, pointer: string): EntityExpectation | null {
  if (!isRecord(expect)) {
    const verdict = reader.oneOf(expect, pointer, verdicts)
    return verdict === null ? null : { kind: 'entity', verdict }
  }
  reader.checkKeys(expect, pointer, ['verdict', 'violations', 'skipped'])
  const verdict = expect.verdict === undefined ? null : reader.oneOf(expect.verdict, `${pointer}/verdict`, verdicts)
  const violations = readEntries(reader, expect.violations, `${pointer}/violations`, ['rule', 'field', 'severity'])
  const skipped = readEntries(reader, expect.skipped, `${pointer}/skipped`, ['rule', 'reason'])
  if (verdict === null && violations === null && skipped === null) {
    reader.refuse(pointer, 'nothing is expected', 'name a `verdict`, the `violations` or what is `skipped`')
    return null
  }
  return {
    kind: 'entity',
    ...(verdict === null ? {} : { verdict }),
    ...(violations === null ? {} : { violations }),
    ...(skipped === null ? {} : { skipped }),
  }
}

/** A list of rule names, or of maps with `rule` and details. */
function readEntries(
  reader: FieldReader,
  value: unknown,
  pointer: string,
  keys: readonly string[],
): (ExpectedViolation & ExpectedSkip)[] | null {
  if (value === undefined) return null
  if (!Array.isArray(value)) {
    reader.refuse(pointer, 'expected a list of rule names', 'write `[]` when none is expected')
    return null
  }
  return value.flatMap((entry: unknown, index) => {
    const at = `${pointer}/${index}`
    if (typeof entry === 'string') return [{ rule: entry }]
    if (!isRecord(entry)) {
      reader.refuse(at, 'expected a rule name, or a map with `rule`', 'write the name of the rule')
      return []
    }
    reader.checkKeys(entry, at, keys)
    const rule = reader.text(entry.rule, `${at}/rule`, 'the name of a rule')
    const details = readDetails(reader, entry, at)
    return rule === null ? [] : [{ rule, ...details }]
  })
}

interface Details {
  readonly field?: string
  readonly severity?: Severity
  readonly reason?: SkipReason
}

function readDetails(reader: FieldReader, from: Readonly<Record<string, unknown>>, pointer: string): Details {
  const field = from.field === undefined ? null : reader.text(from.field, `${pointer}/field`, 'a field path')
  const severity = from.severity === undefined ? null : reader.oneOf(from.severity, `${pointer}/severity`, severities)
  const reason = from.reason === undefined ? null : reader.oneOf(from.reason, `${pointer}/reason`, skipReasons)
  return {
    ...(field === null ? {} : { field }),
    ...(severity === null ? {} : { severity }),
    ...(reason === null ? {} : { reason }),
  }
}
