/** The current compliance of a pipeline: a dry run, which stores nothing and notifies nobody. */
import type { PrepareContext } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { CHECK_MS_MAX, type ComplianceVerdict, compliancePort } from '../../runtime/records/compliance.js'
import type { KnownPipeline } from '../../runtime/records/deployed-pipelines.js'
import { asIn } from '../account.js'
import type { BrokenRule, Compliance } from './score.js'

/** Null for a pipeline without rules; `degraded` when the check did not finish in time. */
export async function complianceOf(
  context: PrepareContext,
  { orgId, id }: Pick<KnownPipeline, 'orgId' | 'id'>,
): Promise<Compliance | 'degraded' | null> {
  const { runtime } = context
  const source = runtime.entities?.find(({ target }) => target === 'pipeline')
  const port = findPort(runtime, compliancePort)
  if (source === undefined || port === undefined) return 'degraded'
  const entity = await context.read((db) => source.read(db, orgId, id))
  if (entity === null) return null
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(CHECK_MS_MAX)])
  try {
    const answer = await port.check(
      asIn(context, orgId),
      {
        target: 'pipeline',
        action: 'update',
        attributes: entity.attributes,
        entityId: entity.id,
        entityName: entity.name,
        isDryRun: true,
      },
      signal,
    )
    return 'verdict' in answer ? ofVerdict(answer.verdict) : 'degraded'
  } catch {
    return 'degraded'
  }
}

export function ofVerdict({ rulesEvaluated, violations }: ComplianceVerdict): Compliance | null {
  if (rulesEvaluated === 0) return null
  const blocking = new Map<string, BrokenRule>()
  const warning = new Map<string, BrokenRule>()
  for (const { ruleId, ruleName, message, severity } of violations) {
    const list = severity === 'warning' ? warning : blocking
    if (!list.has(ruleId)) list.set(ruleId, { id: ruleId, name: ruleName, message })
  }
  const byName = (rules: Iterable<BrokenRule>) => [...rules].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    rules: rulesEvaluated,
    violated: byName(blocking.values()),
    warned: byName([...warning.values()].filter(({ id }) => !blocking.has(id))),
  }
}
