/**
 * One file against one rule set. Runs in the main thread and in workers alike.
 * INVARIANT: the result depends on the text and the options alone, so that jobs never change it.
 */
import { posix } from 'node:path'
import type { Evaluation, EvaluationContext, Exemption, Limits, RuleSet, Target, Violation } from '@plumbline/engine'
import { entitiesOf, type SourceEntity, sourcePath } from '../input/entities.js'
import type { ParsedText } from '../input/parse-text.js'
import { excerptOf } from './excerpt.js'
import type { EntitySummary, FileResult, Finding, Suppression } from './finding.js'
import { fingerprint } from './fingerprint.js'

export interface CheckOptions {
  readonly target: Target | null
  readonly raw: boolean
  readonly limits: Limits
  /** What a file is that lists no entity. */
  readonly emptyList: 'ok' | 'warn' | 'fail'
  /** The instant of the run, ISO 8601. */
  readonly now: string
  readonly exemptions: readonly (Exemption & { readonly reason: string | null })[]
  /** What leads from the root of fingerprints to the folder that names are relative to: `` or `services/web/`. */
  readonly rootPrefix: string
}

export function checkParsed(file: string, parsed: ParsedText, ruleSet: RuleSet, options: CheckOptions): FileResult {
  const { entities, problems, warnings } = entitiesOf(parsed.documents, {
    raw: options.raw,
    limits: options.limits,
    emptyList: options.emptyList,
    ...(options.target === null ? {} : { target: options.target }),
  })
  const findings: Finding[] = []
  const unknownKeys: FileResult['unknownKeys'][number][] = []
  const occurrences = new Map<string, number>()
  for (const entity of entities) {
    const name = `${entity.target} ${entity.id ?? ''}`
    const occurrence = occurrences.get(name) ?? 0
    occurrences.set(name, occurrence + 1)
    findings.push(...checkEntity(file, entity, occurrence, ruleSet, options))
    for (const key of entity.unknownKeys) unknownKeys.push({ target: entity.target, key })
  }
  return {
    file,
    entities: entities.map(summaryOf),
    findings,
    problems: [...parsed.problems, ...problems],
    warnings: [...parsed.warnings, ...warnings],
    unknownKeys,
  }
}

function checkEntity(
  file: string,
  entity: SourceEntity,
  occurrence: number,
  ruleSet: RuleSet,
  options: CheckOptions,
): Finding[] {
  const exemptions = options.exemptions.filter((exemption) => !exemption.entityId || exemption.entityId === entity.id)
  const context: EvaluationContext = {
    target: entity.target,
    entity: {
      type: entity.target,
      ...(entity.orgId === null ? {} : { orgId: entity.orgId }),
      ...(entity.id === null ? {} : { id: entity.id }),
    },
    now: options.now,
  }
  const evaluation = ruleSet.evaluate(entity.attributes, { ...context, exemptions })
  const toFinding = (violation: Violation, suppression: Suppression | null): Finding => {
    const path = sourcePath(entity, violation.field)
    const { line, column } = entity.located.positionOf(path)
    const { text, endColumn } = excerptOf(entity.located, path, violation.actualValue)
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
      issue: violation.issue,
      fingerprint: fingerprint({
        ruleId: violation.ruleId,
        file: posix.join(options.rootPrefix, file),
        target: entity.target,
        entity: identity,
        occurrence,
        field: violation.field,
      }),
      suppression,
      excerpt: text,
    }
  }
  const findings = evaluation.violations.map((violation) => toFinding(violation, null))
  if (evaluation.exemptionsApplied.length === 0) return findings
  return [...findings, ...exempted(ruleSet, entity, context, evaluation, exemptions, toFinding)]
}

/** What the exemptions cover: the violations there would be without them. Shown, never hidden. */
function exempted(
  ruleSet: RuleSet,
  entity: SourceEntity,
  context: EvaluationContext,
  evaluation: Evaluation,
  exemptions: CheckOptions['exemptions'],
  toFinding: (violation: Violation, suppression: Suppression) => Finding,
): Finding[] {
  const applied = new Set(evaluation.exemptionsApplied)
  const byRule = new Map(
    exemptions.filter(({ id }) => applied.has(id)).map((exemption) => [exemption.ruleId, exemption]),
  )
  const skipped = new Set(evaluation.skipped.filter(({ reason }) => reason === 'exempt').map(({ ruleId }) => ruleId))
  return ruleSet
    .evaluate(entity.attributes, context)
    .violations.filter((violation) => skipped.has(violation.ruleId))
    .map((violation) => {
      const exemption = byRule.get(violation.ruleId)
      return toFinding(violation, {
        kind: 'exemption',
        id: exemption?.id ?? null,
        reason: exemption?.reason ?? null,
        expiresAt: exemption?.expiresAt ? String(exemption.expiresAt) : null,
      })
    })
}

function summaryOf(entity: SourceEntity): EntitySummary {
  return {
    target: entity.target,
    id: entity.id,
    name: entity.name,
    ordinal: entity.ordinal,
    line: entity.located.positionOf(entity.at).line,
  }
}
