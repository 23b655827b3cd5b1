/** Exemptions as the API shows them: with what is known now of the records and rules that they name. */
import { and, inArray } from 'drizzle-orm'
import type { Static } from 'typebox'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { heldOf } from '../held.js'
import { isVisible } from '../rule/find.js'
import { complianceTables, type ExemptionRow } from '../tables.js'
import { type Decider, mayDecide, mayRevoke } from './decider.js'
import { recordsNamed } from './named.js'
import { type ExemptionRecord, exemptionRecord } from './record.js'

interface Viewer extends Decider {
  readonly runtime: Pick<Runtime, 'entities'>
}

export async function shownExemptions(
  db: Db,
  viewer: Viewer,
  rows: readonly ExemptionRow[],
): Promise<Static<typeof ExemptionRecord>[]> {
  const held = heldOf(viewer)
  const named = await recordsNamed(db, viewer.runtime, held.orgId, rows)
  const { rules: t } = complianceTables(db)
  const ruleIds = [...new Set(rows.map(({ ruleId }) => ruleId))]
  // guard: who-loses-a-rule-loses-its-name
  const rules =
    rows.length === 0
      ? []
      : await db
          .select({ id: t.id, name: t.name, severity: t.severity })
          .from(t)
          .where(and(inArray(t.id, ruleIds), isVisible(t, held)))
  const ruleOf = new Map(rules.map((rule) => [rule.id, rule]))
  return rows.map((row) => {
    const record = named(row)
    const rule = ruleOf.get(row.ruleId)
    return exemptionRecord(row, viewer.nowMs, {
      isStored: record === undefined ? null : record !== null,
      ruleName: rule?.name ?? null,
      ruleSeverity: rule?.severity ?? null,
      mayDecide: mayDecide(row, viewer),
      mayRevoke: mayRevoke(row, viewer),
    })
  })
}

export async function shownExemption(
  db: Db,
  viewer: Viewer,
  row: ExemptionRow,
): Promise<Static<typeof ExemptionRecord>> {
  const [exemption] = await shownExemptions(db, viewer, [row])
  if (exemption === undefined) throw new Error('one exemption gave no record')
  return exemption
}
