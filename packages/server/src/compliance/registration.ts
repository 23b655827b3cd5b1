/** What this domain registers for exports, purges, erasures and usage (spec platform 27). */
import { and, eq, gt } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRows, ownRowsAlong, type ReadSection } from '../runtime/records/export.js'
import { purgeRows } from '../runtime/records/purge.js'
import type { Tx } from '../runtime/store/db.js'
import { COMPLIANCE_CHANGES } from './changes.js'
import { checkRecord } from './check/list.js'
import { exemptionRecord } from './exemption/record.js'
import { storedFinding } from './finding/state.js'
import type { Interval } from './past/interval.js'
import { membersOf, policyRecord } from './policy/record.js'
import { ruleRecord } from './rule/record.js'
import { scanRecord } from './scan/record.js'
import { scheduleRecord } from './scan-schedule/record.js'
import { sealRecord } from './seal/record.js'
import { COMPLIANCE_SEARCHES } from './searched.js'
import { subscriptionRecord } from './subscription/record.js'
import { complianceTables } from './tables.js'

/** One row per page: the manifest of a seal may have a line for each of thousands of checks. */
const SEALS_PAGE = 1

const SECTIONS = {
  async 'compliance.rules'(db, orgId, after) {
    const { rules: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({ key: row.id, row: ruleRecord(row, orgId) }))
  },
  async 'compliance.ruleHistory'(db, orgId, after) {
    const { ruleHistory: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map(({ changedAtMs, scope: _, ...row }) => ({
      key: row.id,
      row: { ...row, changedAt: toIso(changedAtMs) },
    }))
  },
  async 'compliance.ruleVersions'(db, orgId, after) {
    const { ruleVersions: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({
      key: row.id,
      row: {
        ruleId: row.ruleId,
        version: row.version,
        mode: row.mode,
        rule: row.body,
        validFrom: toIso(row.validFromMs),
        validTo: toIsoOrNull(row.validToMs),
      },
    }))
  },
  async 'compliance.subscriptionIntervals'(db, orgId, after) {
    const { subscriptionIntervals: t } = complianceTables(db)
    return (await ownRows(db, t, orgId, after)).map(intervalEntry)
  },
  async 'compliance.policyRuleIntervals'(db, orgId, after) {
    const { policyRuleIntervals: t } = complianceTables(db)
    return (await ownRows(db, t, orgId, after)).map(intervalEntry)
  },
  async 'compliance.subscriptions'(db, orgId, after) {
    const { subscriptions: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({ key: row.id, row: subscriptionRecord(row) }))
  },
  async 'compliance.policies'(db, orgId, after) {
    const { policies: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    const members = await membersOf(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ key: row.id, row: policyRecord(row, members.get(row.id) ?? [], orgId) }))
  },
  async 'compliance.exemptions'(db, orgId, after) {
    const { exemptions: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    // Exported as stored: time 0 keeps the clock from turning a state into expired.
    return rows.map((row) => ({
      key: row.id,
      row: exemptionRecord(row, 0, {
        isStored: null,
        ruleName: null,
        ruleSeverity: null,
        mayDecide: null,
        mayRevoke: null,
      }),
    }))
  },
  async 'compliance.entitlements'(db, orgId, after) {
    const { entitlements: t } = complianceTables(db)
    const rows = await db
      .select()
      .from(t)
      .where(and(eq(t.orgId, orgId), gt(t.orgId, after)))
    return rows.map(({ sets, watermarkMs, updatedAtMs }) => ({
      key: orgId,
      row: { sets, watermark: toIsoOrNull(watermarkMs), updatedAt: toIso(updatedAtMs) },
    }))
  },
  async 'compliance.checks'(db, orgId, after) {
    const { checks: t } = complianceTables(db)
    const rows = await ownRowsAlong(db, t, [t.createdAtMs, t.id], { orgId, after })
    return rows.map(({ key, row }) => ({ key, row: checkRecord(row) }))
  },
  async 'compliance.findings'(db, orgId, after) {
    const { findings: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({ key: row.id, row: storedFinding(row) }))
  },
  async 'compliance.checkDays'(db, orgId, after) {
    const { checkDays: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map(({ id, kind, name, label, dayMs, checks }) => ({
      key: id,
      row: { day: toIso(dayMs).slice(0, 10), kind, name, label, checks },
    }))
  },
  async 'compliance.scans'(db, orgId, after) {
    const { scans: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({ key: row.id, row: scanRecord(row) }))
  },
  async 'compliance.scanSchedules'(db, orgId, after) {
    const { scanSchedules: t } = complianceTables(db)
    const rows = await ownRows(db, t, orgId, after)
    return rows.map((row) => ({ key: row.id, row: scheduleRecord(row) }))
  },
  async 'compliance.checkSeals'(db, orgId, after) {
    const { checkSeals: t } = complianceTables(db)
    const rows = await ownRowsAlong(db, t, [t.ordinal], { orgId, after, rowsMax: SEALS_PAGE })
    return rows.map(({ key, row }) => ({ key, row: sealRecord(row) }))
  },
} satisfies Readonly<Record<string, ReadSection>>

export const complianceRegistration: DomainRegistration = {
  name: 'compliance',
  changes: [COMPLIANCE_CHANGES],
  searches: COMPLIANCE_SEARCHES,
  ...exportOf(SECTIONS, {
    'compliance.rules': 'compliance:read',
    'compliance.ruleHistory': 'compliance:read',
    'compliance.ruleVersions': 'compliance:read',
    'compliance.subscriptionIntervals': 'compliance:read',
    'compliance.policyRuleIntervals': 'compliance:read',
    'compliance.subscriptions': 'compliance:read',
    'compliance.policies': 'compliance:read',
    'compliance.exemptions': 'compliance:read',
    'compliance.entitlements': 'compliance:read',
    'compliance.checks': 'compliance:read',
    'compliance.findings': 'compliance:read',
    'compliance.checkDays': 'compliance:read',
    'compliance.scans': 'compliance:read',
    'compliance.scanSchedules': 'compliance:read',
    'compliance.checkSeals': 'compliance:read',
  }),
  purge,
  erase,
  usage: {},
  async *blobs() {},
}

const intervalEntry = ({ id, validFromMs, validToMs, ...row }: Interval & { readonly id: string }) => ({
  key: id,
  row: { ...row, validFrom: toIso(validFromMs), validTo: toIsoOrNull(validToMs) },
})

async function purge(tx: Tx, orgId: string, rowsMax: number): Promise<number> {
  const {
    checks,
    checkSeals,
    entityStates,
    findings,
    checkDays,
    ruleHistory,
    ruleVersions,
    rules,
    subscriptions,
    policies,
    policyRules,
    exemptions,
    entitlements,
    ruleSetStamps,
    subscriptionIntervals,
    policyRuleIntervals,
    pastStarts,
    scans,
    scanSchedules,
  } = complianceTables(tx)
  const gone = await purgeRows(
    tx,
    [
      scanSchedules,
      scans,
      checks,
      checkSeals,
      entityStates,
      findings,
      checkDays,
      exemptions,
      subscriptions,
      subscriptionIntervals,
      policyRuleIntervals,
      policyRules,
      policies,
      ruleHistory,
      ruleVersions,
      rules,
    ],
    orgId,
    rowsMax,
  )
  if (gone > 0) return gone
  await tx.delete(pastStarts).where(eq(pastStarts.orgId, orgId))
  await tx.delete(entitlements).where(eq(entitlements.orgId, orgId))
  const stamps = await tx.delete(ruleSetStamps).where(eq(ruleSetStamps.orgId, orgId)).returning()
  return stamps.length
}

/** Rules and verdicts are kept; the id of the person who made, changed, reviewed or owns them is erased. */
async function erase(tx: Tx, userId: string): Promise<void> {
  const t = complianceTables(tx)
  const columns: readonly (readonly [SQLiteTable, readonly string[]])[] = [
    [t.exemptions, ['createdBy', 'impersonatorId', 'updatedBy', 'reviewedBy', 'approvedBy']],
    [t.policies, ['createdBy', 'updatedBy', 'deletedBy']],
    [t.rules, ['createdBy', 'updatedBy', 'deletedBy']],
    [t.ruleHistory, ['changedBy']],
    [t.subscriptions, ['subscribedBy', 'unsubscribedBy', 'pinnedBy']],
    [t.checks, ['userId']],
    [t.findings, ['ownerId']],
    [t.scans, ['userId', 'cancelledBy']],
    [t.scanSchedules, ['createdBy', 'updatedBy']],
  ]
  for (const [table, names] of columns) {
    for (const name of names) {
      await tx
        .update(table)
        .set({ [name]: null })
        .where(eq((table as unknown as Record<string, SQLiteColumn>)[name] as SQLiteColumn, userId))
    }
  }
}
