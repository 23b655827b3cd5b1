/** The waivers that hold for an entity now, and which stored entity an upload is about. */
import type { Exemption, Target } from '@plumbline/engine'
import { and, eq, gt, inArray, lte, ne, or, type Placeholder } from 'drizzle-orm'
import { toIsoOrNull } from '../../runtime/clock.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import type { Subject } from '../check/evaluate.js'
import { complianceTables, type ExemptionRow } from '../tables.js'

/** As the engine reads it, with what reports say of it. */
export type HeldExemption = Exemption & { readonly reason: string; readonly expiresAt: string | null }

const approved = prepared((db, value: (name: 'orgId' | 'entityType' | 'entityId') => Placeholder) => {
  const { exemptions: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, value('orgId')),
        eq(t.entityId, value('entityId')),
        eq(t.entityType, value('entityType')),
        eq(t.status, 'approved'),
      ),
    )
})

/** Those that were approved; the evaluation looks at the clock. */
export async function exemptionsOf(
  db: Db,
  orgId: string,
  { target, entityId }: Subject,
): Promise<readonly HeldExemption[]> {
  if (entityId === null) return []
  const rows = await approved(db, { orgId, entityType: target, entityId })
  return rows.map((row) => engineExemption(row, target))
}

/**
 * Those that were approved at an instant of the past; the evaluation looks at that clock. An exemption is approved once, at
 * `reviewedAtMs`, and what was approved is last written when it is revoked or has expired.
 */
export async function exemptionsAt(
  db: Db,
  orgId: string,
  { target, entityId }: Subject,
  atMs: number,
): Promise<readonly HeldExemption[]> {
  if (entityId === null) return []
  const { exemptions: t } = complianceTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, orgId),
        eq(t.entityId, entityId),
        eq(t.entityType, target),
        inArray(t.status, ['approved', 'revoked', 'expired']),
        lte(t.reviewedAtMs, atMs),
        or(ne(t.status, 'revoked'), gt(t.updatedAtMs, atMs)),
      ),
    )
  return rows.map((row) => engineExemption({ ...row, status: 'approved' }, target))
}

/** Those of many entities at once, by entity. */
export async function exemptionsOfMany(
  db: Db,
  orgId: string,
  target: Target,
  entityIds: readonly string[],
): Promise<ReadonlyMap<string, readonly HeldExemption[]>> {
  const { exemptions: t } = complianceTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(
      and(eq(t.orgId, orgId), inArray(t.entityId, [...entityIds]), eq(t.entityType, target), eq(t.status, 'approved')),
    )
  const byEntity = new Map<string, HeldExemption[]>()
  for (const row of rows) {
    const own = byEntity.get(row.entityId)
    if (own === undefined) byEntity.set(row.entityId, [engineExemption(row, target)])
    else own.push(engineExemption(row, target))
  }
  return byEntity
}

const engineExemption = (row: ExemptionRow, target: Target): HeldExemption => ({
  id: row.id,
  ruleId: row.ruleId,
  status: row.status,
  expiresAt: toIsoOrNull(row.expiresAtMs),
  orgId: row.orgId,
  entityType: target,
  entityId: row.entityId,
  reason: row.reason,
})

/** An upload under the name of a stored entity is about that entity, so that its exemption holds over a new version. */
export async function resolveSubject(
  db: Db,
  { entities = [] }: Pick<Runtime, 'entities'>,
  orgId: string,
  subject: Subject,
): Promise<Subject> {
  if (subject.entityId !== null || subject.entityName === null) return subject
  const source = entities.find(({ target }) => target === subject.target)
  const entityId = (await source?.idOfName(db, orgId, subject.entityName)) ?? null
  return entityId === null ? subject : { ...subject, entityId }
}
