/** Writes the row of a check. Whoever answers with a verdict has committed it first. */
import { createHash } from 'node:crypto'
import type { Placeholder } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { placeholders, prepared } from '../../runtime/store/prepared.js'
import { ruleText } from '../rule/schema.js'
import { type CheckRow, complianceTables } from '../tables.js'
import type { Subject } from './evaluate.js'
import { resultOf, type Verdict } from './verdict.js'

export const CHECK_ACTIONS = ['upload', 'create', 'update', 'deploy', 'restore', 'recheck', 'scan'] as const
export type CheckAction = (typeof CHECK_ACTIONS)[number]

export interface CheckEntry {
  readonly orgId: string
  /** Who asked: a user id, `service:<name>`; null for the server itself. */
  readonly userId: string | null
  readonly subject: Subject
  readonly action: CheckAction
  readonly attributes: Readonly<Record<string, unknown>>
  readonly verdict: Verdict
  readonly scanId?: string
  readonly eventId?: string
}

/** What the row will hold; made outside of the transaction, which only inserts it. */
export function checkRow(runtime: Pick<Runtime, 'ids'>, entry: CheckEntry, nowMs: number): CheckRow {
  const { subject, verdict } = entry
  return {
    id: runtime.ids.next(),
    orgId: entry.orgId,
    userId: entry.userId,
    target: subject.target,
    action: entry.action,
    entityId: subject.entityId,
    entityName: subject.entityName,
    result: resultOf(verdict),
    // Blocking ones first, then warnings, each in the order of evaluation.
    violations: [...verdict.violations.filter(({ severity }) => severity !== 'warning'), ...verdict.warnings],
    observed: verdict.observed,
    ruleText: ruleText([...verdict.violations, ...verdict.observed].map(({ ruleId }) => ruleId)),
    ruleCount: verdict.rulesEvaluated,
    rulesSkipped: verdict.rulesSkipped,
    exemptionsApplied: verdict.exemptionsApplied,
    attributesHash: createHash('sha256').update(JSON.stringify(entry.attributes)).digest('hex'),
    scanId: entry.scanId ?? null,
    eventId: entry.eventId ?? null,
    createdAtMs: nowMs,
  }
}

/** Each check writes one, so the statement is built once. */
const insert = prepared((db, value: (name: keyof CheckRow) => Placeholder) => {
  const { checks } = complianceTables(db)
  return db.insert(checks).values(placeholders(checks, value))
})

export async function recordCheck(tx: Tx, row: CheckRow): Promise<void> {
  await insert(tx, { ...row })
}
