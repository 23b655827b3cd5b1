/** What this domain gives to exports, purges, erasures and usage (rulings, Domains). */
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import type { DomainRegistration, ExportRow, ReadPage } from '../runtime/domain.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { checkRecord } from './check/list.js'
import { exemptionRecord } from './exemption/record.js'
import { membersOf, policyRecord } from './policy/record.js'
import { ruleRecord } from './rule/record.js'
import { subscriptionRecord } from './subscription/record.js'
import { complianceTables } from './tables.js'

const PAGE = 500

export const complianceRegistration: DomainRegistration = {
  name: 'compliance',
  exportSections: Object.keys(sections()),
  async *exportRows(read, orgId, wanted) {
    for (const [section, select] of Object.entries(sections())) {
      if (wanted.has(section)) yield* pages(read, section, (db, after) => select(db, orgId, after))
    }
  },
  purge,
  erase,
  usage: {},
  async *blobs() {},
}

interface Keyed {
  readonly key: string
  readonly row: Record<string, unknown>
}
type Reader = (db: Db, orgId: string, after: string) => Promise<Keyed[]>

/** Page after page by key: a list that changes meanwhile is neither repeated nor skipped. */
async function* pages(
  read: ReadPage,
  section: string,
  select: (db: Db, after: string) => Promise<Keyed[]>,
): AsyncGenerator<ExportRow> {
  for (let after = ''; ; ) {
    const rows = await read((db) => select(db, after))
    for (const { row } of rows) yield { section, row }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.key
  }
}

function sections(): Readonly<Record<string, Reader>> {
  return {
    async 'compliance.rules'(db, orgId, after) {
      const { rules: t } = complianceTables(db)
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
      return rows.map((row) => ({ key: row.id, row: ruleRecord(row, orgId) }))
    },
    async 'compliance.ruleHistory'(db, orgId, after) {
      const { ruleHistory: t } = complianceTables(db)
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
      return rows.map(({ changedAtMs, ...row }) => ({ key: row.id, row: { ...row, changedAt: toIso(changedAtMs) } }))
    },
    async 'compliance.ruleVersions'(db, orgId, after) {
      const { ruleVersions: t } = complianceTables(db)
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
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
    async 'compliance.subscriptions'(db, orgId, after) {
      const { subscriptions: t } = complianceTables(db)
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
      return rows.map((row) => ({ key: row.id, row: subscriptionRecord(row) }))
    },
    async 'compliance.policies'(db, orgId, after) {
      const { policies: t } = complianceTables(db)
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
      const members = await membersOf(
        db,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => ({ key: row.id, row: policyRecord(row, members.get(row.id) ?? [], orgId) }))
    },
    async 'compliance.exemptions'(db, orgId, after) {
      const { exemptions: t } = complianceTables(db)
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
      // As it is stored: what the clock makes of it is the reader's.
      return rows.map((row) => ({ key: row.id, row: exemptionRecord(row, 0) }))
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
      const rows = await db
        .select()
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
      return rows.map((row) => ({ key: row.id, row: checkRecord(row) }))
    },
  }
}

async function purge(tx: Tx, orgId: string, rowsMax: number): Promise<number> {
  const {
    checks,
    entityStates,
    ruleHistory,
    ruleVersions,
    rules,
    subscriptions,
    policies,
    policyRules,
    exemptions,
    entitlements,
    ruleSetStamps,
  } = complianceTables(tx)
  for (const t of [
    checks,
    entityStates,
    exemptions,
    subscriptions,
    policyRules,
    policies,
    ruleHistory,
    ruleVersions,
    rules,
  ]) {
    const due = tx.select({ id: t.id }).from(t).where(eq(t.orgId, orgId)).limit(rowsMax)
    const gone = await tx.delete(t).where(inArray(t.id, due)).returning({ id: t.id })
    if (gone.length > 0) return gone.length
  }
  await tx.delete(entitlements).where(eq(entitlements.orgId, orgId))
  const gone = await tx.delete(ruleSetStamps).where(eq(ruleSetStamps.orgId, orgId)).returning()
  return gone.length
}

/** Rules and verdicts stay; who made them is forgotten. */
async function erase(tx: Tx, userId: string): Promise<void> {
  const { rules, ruleHistory, checks, subscriptions, policies, exemptions } = complianceTables(tx)
  for (const by of ['createdBy', 'updatedBy', 'reviewedBy', 'approvedBy'] as const) {
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
}
