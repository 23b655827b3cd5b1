/** Writes the row of a check. It is committed before the verdict is answered. */
import { hash } from 'node:crypto'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertRows } from '../../runtime/store/prepared.js'
import { ruleText } from '../rule/schema.js'
import type { Subject } from '../subject.js'
import { type CheckRow, complianceTables } from '../tables.js'
import { countChecks } from './count-days.js'
import { resultOf, type Verdict } from './verdict.js'

export const CHECK_ACTIONS = ['upload', 'create', 'update', 'deploy', 'restore', 'recheck', 'scan'] as const
export type CheckAction = (typeof CHECK_ACTIONS)[number]

export interface CheckEntry {
  readonly orgId: string
  /** Who requested the check: a user id or `service:<name>`; null for the server itself. */
  readonly userId: string | null
  readonly subject: Subject
  readonly action: CheckAction
  readonly attributes: Readonly<Record<string, unknown>>
  readonly verdict: Verdict
  readonly scanId?: string
  readonly eventId?: string
}

/** The row to write, built before the transaction, which only inserts it. */
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
    // Blocking violations first, then warnings, each in the order of evaluation.
    violations: [...verdict.violations.filter(({ severity }) => severity !== 'warning'), ...verdict.warnings],
    observed: verdict.observed,
    // Rows that were sealed before this field existed have no such field, so an absent value must stay null.
    exempted: verdict.exempted ?? null,
    unresolved: verdict.unresolved ?? null,
    ruleText: ruleText(
      [...verdict.violations, ...verdict.observed, ...(verdict.exempted ?? []).map(({ violation }) => violation)].map(
        ({ ruleId }) => ruleId,
      ),
    ),
    ruleCount: verdict.rulesEvaluated,
    rulesSkipped: verdict.rulesSkipped,
    exemptionsApplied: verdict.exemptionsApplied,
    attributesHash: hash('sha256', JSON.stringify(entry.attributes)),
    scanId: entry.scanId ?? null,
    eventId: entry.eventId ?? null,
    createdAtMs: nowMs,
  }
}

export const recordCheck = (tx: Tx, row: CheckRow): Promise<void> => recordChecks(tx, [row])

export async function recordChecks(tx: Tx, rows: readonly CheckRow[]): Promise<void> {
  await insertRows(tx, complianceTables(tx).checks, rows)
  await countChecks(tx, rows)
}
