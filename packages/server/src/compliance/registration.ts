/** What this domain registers for exports, purges, erasures and usage (spec platform 27). */
import { and, eq, gt } from 'drizzle-orm'
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

/** Rules and verdicts are kept; the user id of who made them is erased. */
async function erase(tx: Tx, userId: string): Promise<void> {
  const { rules, ruleHistory, checks, subscriptions, policies, exemptions, scans, scanSchedules } = complianceTables(tx)
  for (const by of ['createdBy', 'impersonatorId', 'updatedBy', 'reviewedBy', 'approvedBy'] as const) {
    await tx
      .update(exemptions)
      .set({ [by]: null })
      .where(eq(exemptions[by], userId))
  }
  await tx.update(policies).set({ createdBy: null }).where(eq(policies.createdBy, userId))
  await tx.update(policies).set({ updatedBy: null }).where(eq(policies.updatedBy, userId))
  await tx.update(policies).set({ deletedBy: null }).where(eq(policies.deletedBy, userId))
  await tx.update(rules).set({ createdBy: null }).where(eq(rules.createdBy, userId))
  await tx.update(rules).set({ updatedBy: null }).where(eq(rules.updatedBy, userId))
  await tx.update(rules).set({ deletedBy: null }).where(eq(rules.deletedBy, userId))
  await tx.update(ruleHistory).set({ changedBy: null }).where(eq(ruleHistory.changedBy, userId))
  await tx.update(subscriptions).set({ subscribedBy: null }).where(eq(subscriptions.subscribedBy, userId))
  await tx.update(subscriptions).set({ unsubscribedBy: null }).where(eq(subscriptions.unsubscribedBy, userId))
  await tx.update(subscriptions).set({ pinnedBy: null }).where(eq(subscriptions.pinnedBy, userId))
  await tx.update(checks).set({ userId: null }).where(eq(checks.userId, userId))
  await tx.update(scans).set({ userId: null }).where(eq(scans.userId, userId))
  await tx.update(scans).set({ cancelledBy: null }).where(eq(scans.cancelledBy, userId))
  await tx.update(scanSchedules).set({ createdBy: null }).where(eq(scanSchedules.createdBy, userId))
  await tx.update(scanSchedules).set({ updatedBy: null }).where(eq(scanSchedules.updatedBy, userId))
}
