/**
 * Writes what belongs to every change of a rule besides its row: version, history and stamp. It is one transaction, so
 * none of them is ever missing.
 */
import { and, eq, isNull } from 'drizzle-orm'
import type { WriteContext } from '../../runtime/operation/context.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { rescansAfter } from '../follow-up/rescans.js'
import { ruleChange } from '../follow-up/subscribers.js'
import { stampRules } from '../rule-stamp.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { nameTaken } from './issues.js'
import { engineRule } from './record.js'

export type ChangeType = 'created' | 'updated' | 'deleted' | 'restored'

type Writing = Pick<WriteContext, 'tx' | 'runtime' | 'nowMs' | 'actor' | 'enqueue'>

/** @throws Refusal 409 `DUPLICATE_ENTRY` for a name that a live rule has. */
export async function insertRule(context: Writing, row: RuleRow): Promise<void> {
  const { rules } = complianceTables(context.tx)
  if (!(await insertNew(context.tx, rules, row))) throw nameTaken()
  await openVersion(context, row)
  await recordChange(context, row, 'created', null)
  for (const work of rescansAfter(null, row, context.nowMs)) await context.enqueue(work)
}

/**
 * @param before the rule as it is stored now.
 * @throws Refusal 409 `DUPLICATE_ENTRY` for a name that another live rule has.
 */
export async function writeRule(
  context: Writing,
  before: RuleRow,
  after: RuleRow,
  changeType: Exclude<ChangeType, 'created'>,
): Promise<void> {
  const { tx, nowMs } = context
  const { rules } = complianceTables(tx)
  try {
    await tx
      .update(rules)
      .set(after)
      .where(and(eq(rules.id, before.id), eq(rules.orgId, before.orgId)))
  } catch (error) {
    if (brokenUniqueConstraint(error) === null) throw error
    throw nameTaken(error)
  }
  await closeVersion(tx, before, nowMs)
  if (changeType !== 'deleted') await openVersion(context, after)
  await recordChange(context, after, changeType, before)
  for (const work of rescansAfter(before, after, nowMs)) await context.enqueue(work)
  if (after.scope === 'published' && changeType !== 'restored') await context.enqueue(ruleChange(after, changeType))
}

async function openVersion({ tx, runtime, nowMs }: Writing, row: RuleRow): Promise<void> {
  const { ruleVersions } = complianceTables(tx)
  await tx.insert(ruleVersions).values({
    id: runtime.ids.next(),
    ruleId: row.id,
    version: row.version,
    orgId: row.orgId,
    scope: row.scope,
    isTemplate: row.isTemplate,
    propagateToChildren: row.propagateToChildren,
    mode: row.mode,
    body: engineRule(row),
    validFromMs: nowMs,
    validToMs: null,
  })
}

async function closeVersion(tx: Tx, row: RuleRow, nowMs: number): Promise<void> {
  const { ruleVersions: t } = complianceTables(tx)
  await tx
    .update(t)
    .set({ validToMs: nowMs })
    .where(and(eq(t.ruleId, row.id), eq(t.orgId, row.orgId), isNull(t.validToMs)))
}

async function recordChange(
  { tx, runtime, nowMs, actor }: Writing,
  row: RuleRow,
  changeType: ChangeType,
  before: RuleRow | null,
): Promise<void> {
  const { ruleHistory } = complianceTables(tx)
  await tx.insert(ruleHistory).values({
    id: runtime.ids.next(),
    orgId: row.orgId,
    ruleId: row.id,
    version: row.version,
    scope: row.scope,
    changeType,
    previousState: before === null ? null : { ...engineRule(before), mode: before.mode },
    changedBy: actor.id,
    changedAtMs: nowMs,
  })
  // guard: a-change-of-rules-counts-the-stamp-up
  await stampRules(tx, row.orgId)
}
