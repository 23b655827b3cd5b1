/**
 * A change of rules queues scans in its transaction: one scan for each organization and target, half a minute after the
 * first of several changes (spec compliance 10).
 */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { OutboxMessage, WriteContext } from '../../runtime/operation/context.js'
import { complianceTables, type RuleRow } from '../tables.js'

export const RESCAN = 'compliance.rescan'

export const SPREAD = 'compliance.rescan-others'

export const DEBOUNCE_MS = 30_000

type Change = Pick<RuleRow, 'isActive' | 'isTemplate' | 'deletedAtMs' | 'scope' | 'propagateToChildren' | 'target'>

const counts = ({ isActive, isTemplate, deletedAtMs }: Change): boolean =>
  isActive && !isTemplate && deletedAtMs === null

/**
 * The jobs that follow a change, to be queued in its transaction; none for a rule that applied nowhere before or after.
 * @param before null for a new rule.
 */
export function rescansAfter(before: RuleRow | null, after: RuleRow, nowMs: number): OutboxMessage[] {
  const states = before === null ? [after] : [before, after]
  if (!states.some(counts)) return []
  const { id: ruleId, orgId, target, scope } = after
  const runAtMs = nowMs + DEBOUNCE_MS
  if (scope === 'published') {
    const payload = { ruleId, orgId, reach: 'subscribers', target }
    return [{ kind: SPREAD, payload, uniqueKey: `${ruleId}:subscribers`, runAtMs }]
  }
  const own: OutboxMessage = {
    kind: RESCAN,
    orgId,
    payload: { orgId, target },
    uniqueKey: `${orgId}:${target}`,
    runAtMs,
  }
  if (!states.some(({ propagateToChildren }) => propagateToChildren)) return [own]
  const teams = { ruleId, orgId, reach: 'teams', target }
  return [own, { kind: SPREAD, payload: teams, uniqueKey: `${orgId}:teams:${target}`, runAtMs: nowMs }]
}

/**
 * Queues scans for another change of the rules in force, such as an activated subscription: one for each target of
 * these rules.
 */
export async function rescanFor(
  { tx, enqueue, nowMs }: Pick<WriteContext, 'tx' | 'enqueue' | 'nowMs'>,
  orgId: string,
  ruleIds: readonly string[],
): Promise<void> {
  if (ruleIds.length === 0 || orgId === SYSTEM_ORG_ID) return
  const { rules: t } = complianceTables(tx)
  const rows = await tx
    .select()
    .from(t)
    .where(and(inArray(t.id, [...ruleIds]), eq(t.isTemplate, false), isNull(t.deletedAtMs)))
  for (const rule of rows) {
    if (rule.orgId !== orgId) await enqueue(later(orgId, rule.target, nowMs + DEBOUNCE_MS))
    else for (const work of rescansAfter(null, rule, nowMs)) await enqueue(work)
  }
}

export const later = (orgId: string, target: string, runAtMs: number): OutboxMessage => ({
  kind: RESCAN,
  orgId,
  payload: { orgId, target },
  uniqueKey: `${orgId}:${target}`,
  runAtMs,
})
