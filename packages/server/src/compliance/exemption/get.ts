/** One exemption that the organization requested or decides about, and the others of its record. */
import { and, count, desc, eq, ne, or, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { complianceTables, type ExemptionRow } from '../tables.js'
import { ExemptionRecord, OTHERS_SHOWN, stateAt } from './record.js'
import { shownExemption } from './shown.js'
import { findConcerned } from './transition.js'

export const getExemption = query({
  name: 'compliance.exemption.get',
  summary: 'Show an exemption, with the others of its record',
  http: { method: 'get', path: '/compliance/exemptions/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ exemption: ExemptionRecord }),
  errors: ['NOT_FOUND'],
  async run({ db, nowMs, ...context }, { path }) {
    const orgId = tenantId({ ...context, nowMs })
    const row = await findConcerned(db, orgId, path.id)
    const exemption = await shownExemption(db, { ...context, nowMs }, row)
    return { exemption: { ...exemption, ...(await othersOf(db, { orgId, nowMs }, row)) } }
  },
})

async function othersOf(db: Db, { orgId, nowMs }: { orgId: string; nowMs: number }, row: ExemptionRow) {
  const { exemptions: t } = complianceTables(db)
  const where = and(
    eq(t.orgId, row.orgId),
    // guard: others-that-the-organization-asked-for-or-decides-about
    or(eq(t.orgId, orgId), eq(t.reviewOrgId, orgId)),
    eq(t.entityType, row.entityType),
    namesTheSame(t, row),
    ne(t.id, row.id),
  )
  const [counted] = await db.select({ rows: count() }).from(t).where(where)
  const rows = await db.select().from(t).where(where).orderBy(desc(t.createdAtMs), desc(t.id)).limit(OTHERS_SHOWN)
  return {
    otherExemptionCount: Number(counted?.rows ?? 0),
    otherExemptions: rows.map((other) => ({
      id: other.id,
      status: stateAt(other, nowMs),
      reason: other.reason,
      createdAt: toIso(other.createdAtMs),
    })),
  }
}

const namesTheSame = (t: ReturnType<typeof complianceTables>['exemptions'], row: ExemptionRow): SQL =>
  row.entityId === null ? eq(t.entityKeyText, row.entityKeyText ?? '') : eq(t.entityId, row.entityId)
