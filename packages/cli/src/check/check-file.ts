/**
 * One file against one rule set. Runs in the main thread and in workers alike.
 * INVARIANT: the result depends on the text and the options alone, so that jobs never change it.
 */
import { posix } from 'node:path'
import {
  coversEntity,
  type EvaluationContext,
  type ExemptedViolation,
  type Exemption,
  exemptedViolations,
  type Limits,
  type RuleSet,
  rulesInForce,
  type Target,
  type UnresolvedRead,
  unresolvedReads,
  type Violation,
} from '@plumbline/engine'
import type { Diagnostic } from '../input/diagnostic.js'
import { type EntitiesOfFile, entitiesOf, entityRef, type SourceEntity, sourcePath } from '../input/entities.js'
import type { ParsedText } from '../input/parse-text.js'
import type { EntitySummary, FileResult, Finding, Suppression } from '../report/finding.js'
import { excerptOf } from './excerpt.js'
import { entityFingerprint, fingerprint } from './fingerprint.js'
import { leftToWrite } from './left-to-write.js'
import type { Mode } from './org-rules.js'
import { placeOf } from './place.js'

export interface CheckOptions {
  readonly target: Target | null
  readonly raw: boolean
  readonly limits: Limits
  /** How a file counts that lists no entity. */
  readonly emptyList: 'ok' | 'warn' | 'fail'
  /** The instant of the run, ISO 8601. */
  readonly now: string
  readonly exemptions: readonly (Exemption & { readonly reason: string | null })[]
  /** The path from the root of fingerprints to the folder that names are relative to: `` or `services/web/`. */
  readonly rootPrefix: string
  /** For rules of an organization: its id, and the rollout mode of each rule that has one. */
  readonly orgId?: string | null
  readonly modes?: Readonly<Record<string, Mode>>
}

interface Exempted {
  readonly violation: Violation
  readonly suppression: Suppression
}

/** Evaluates one entity: what it violates, and what exemptions waive. */
export type Judge = (entity: SourceEntity) => {
  readonly violations: readonly Violation[]
  readonly exempted: readonly Exempted[]
  readonly unresolved: readonly UnresolvedRead[]
  /** Names of rules that wait for a built image. */
  readonly waiting: readonly string[]
}

export function checkParsed(file: string, parsed: ParsedText, ruleSet: RuleSet, options: CheckOptions): FileResult {
  const read = entitiesOf(parsed.documents, {
    raw: options.raw,
    limits: options.limits,
    emptyList: options.emptyList,
    ...(options.target === null ? {} : { target: options.target }),
  })
  const result = resultOf(file, parsed, read, options, (entity) => judgeHere(entity, ruleSet, options))
  const covering = read.entities.flatMap((entity) => exemptionsFor(entity, options).map(({ id }) => id))
  return { ...result, covering: [...new Set(covering)] }
}

/** The result of a file whose entities are known, whatever evaluates them. */
export function resultOf(
  file: string,
  parsed: ParsedText,
  { entities, problems, warnings }: EntitiesOfFile,
  options: CheckOptions,
  judge: Judge,
): FileResult {
  const findings: Finding[] = []
  const unread: Diagnostic[] = []
  const unknownKeys: FileResult['unknownKeys'][number][] = []
  const waiting = new Set<string>()
  const occurrences = new Map<string, number>()
  for (const entity of entities) {
    const name = `${entity.target} ${entity.id ?? ''}`
    const occurrence = occurrences.get(name) ?? 0
    occurrences.set(name, occurrence + 1)
    const judged = judge(entity)
    findings.push(...findingsOf(file, entity, occurrence, options, judged))
    unread.push(...judged.unresolved.map((read) => unresolvedWarning(file, entity, read)))
    for (const name of judged.waiting) waiting.add(name)
    for (const key of entity.unknownKeys) unknownKeys.push({ target: entity.target, key })
  }
  return {
    file,
    entities: entities.map(summaryOf),
    findings,
    problems: [...parsed.problems, ...problems],
    warnings: [...parsed.warnings, ...warnings, ...unread],
    unknownKeys,
    covering: [],
    waiting: [...waiting],
    leftToWrite: options.raw ? [] : entities.flatMap(leftToWrite),
  }
}

const unresolvedWarning = (
  file: string,
  entity: SourceEntity,
  { ruleName, field, token }: UnresolvedRead,
): Diagnostic => ({
  file,
  position: entity.located.positionOf(sourcePath(entity, field)),
  message: `${entity.name}: rule \`${ruleName}\` reads the token \`${token}\` in \`${field}\` literally: it has no value here`,
})

const exemptionsFor = (entity: SourceEntity, { exemptions, orgId }: CheckOptions): CheckOptions['exemptions'] => {
  const ref = entityRef(entity, typeof orgId === 'string')
  return exemptions.filter(
    (exemption) => (exemption.entityType ?? entity.target) === entity.target && coversEntity(exemption, ref),
  )
}

function judgeHere(entity: SourceEntity, ruleSet: RuleSet, options: CheckOptions): ReturnType<Judge> {
  const orgId = options.orgId ?? entity.orgId
  const exemptions = exemptionsFor(entity, options)
  const context: EvaluationContext = {
    target: entity.target,
    entity: { ...entityRef(entity, typeof options.orgId === 'string'), ...(orgId === null ? {} : { orgId }) },
    now: options.now,
  }
  const inForce = rulesInForce(ruleSet, entity.target, entity.attributes)
  const evaluation = inForce.ruleSet.evaluate(entity.attributes, { ...context, exemptions })
  return {
    violations: rolledOut(evaluation.violations, options),
    unresolved: unresolvedReads(ruleSet.rules, entity.target, evaluation, entity.unresolved),
    waiting: entity.attributes['buildType'] === 'metadata_only' ? [] : inForce.waiting.map(({ ruleName }) => ruleName),
    exempted: exempted(
      exemptedViolations(inForce.ruleSet, entity.attributes, { ...context, exemptions }, evaluation),
      exemptions,
      options,
    ),
  }
}

/** Applies the rollout of each rule as the server does: `observe` drops a violation, `warn` makes it a warning. */
const rolledOut = (violations: readonly Violation[], { modes = {} }: CheckOptions): Violation[] =>
  violations
    .filter(({ ruleId }) => modes[ruleId] !== 'observe')
    .map((violation) => (modes[violation.ruleId] === 'warn' ? { ...violation, severity: 'warning' } : violation))

function findingsOf(
  file: string,
  entity: SourceEntity,
  occurrence: number,
  options: CheckOptions,
  { violations, exempted: covered }: ReturnType<Judge>,
): Finding[] {
  const toFinding = (violation: Violation, suppression: Suppression | null): Finding => {
    const { path, actual } = placeOf(entity, violation)
    const { line, column } = entity.located.positionOf(path)
    const { text, endColumn } = excerptOf(entity.located, path, actual)
    const identity = entity.id ?? ''
    return {
      ruleId: violation.ruleId,
      ruleName: violation.ruleName,
      description: violation.description,
      severity: violation.severity,
      message: violation.message,
      file,
      line,
      column,
      endColumn,
      document: entity.located.ordinal,
      entity: summaryOf(entity),
      field: violation.field,
      operator: violation.operator,
      expected: violation.expectedValue,
      actual: violation.actualValue,
      ...(violation.failures === undefined ? {} : { failures: violation.failures }),
      issue: violation.issue,
      fingerprint: fingerprint({
        ruleId: violation.ruleId,
        file: posix.join(options.rootPrefix, file),
        target: entity.target,
        entity: identity,
        occurrence,
        field: violation.field,
      }),
      entityFingerprint: entityFingerprint({
        ruleId: violation.ruleId,
        target: entity.target,
        entity: identity,
        field: violation.field,
      }),
      suppression,
      excerpt: text,
    }
  }
  return [
    ...violations.map((violation) => toFinding(violation, null)),
    ...covered.map(({ violation, suppression }) => toFinding(violation, suppression)),
  ]
}

/** The violations that exemptions waive. Reports show them as suppressed instead of hiding them. */
function exempted(
  covered: readonly ExemptedViolation[],
  exemptions: CheckOptions['exemptions'],
  options: CheckOptions,
): Exempted[] {
  const byId = new Map(exemptions.map((exemption) => [exemption.id, exemption]))
  const idByRule = new Map(covered.map(({ exemptionId, violation }) => [violation.ruleId, exemptionId]))
  return rolledOut(
    covered.map(({ violation }) => violation),
    options,
  ).map((violation) => {
    const id = idByRule.get(violation.ruleId) ?? null
    const { reason = null, expiresAt = null } = byId.get(id ?? '') ?? {}
    return {
      violation,
      suppression: { kind: 'exemption', id, reason, expiresAt: expiresAt ? String(expiresAt) : null },
    }
  })
}

function summaryOf(entity: SourceEntity): EntitySummary {
  return {
    target: entity.target,
    id: entity.recordId,
    name: entity.name,
    ordinal: entity.ordinal,
    line: entity.located.positionOf(entity.at).line,
  }
}
