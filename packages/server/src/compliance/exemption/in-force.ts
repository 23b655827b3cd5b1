/** The waivers that hold for an entity now, and which stored entity an upload is about. */
import type { Exemption } from '@plumbline/engine'
import { and, eq, type Placeholder } from 'drizzle-orm'
import { toIsoOrNull } from '../../runtime/clock.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import type { Subject } from '../check/evaluate.js'
import { complianceTables } from '../tables.js'

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
): Promise<readonly Exemption[]> {
  if (entityId === null) return []
  const rows = await approved(db, { orgId, entityType: target, entityId })
  return rows.map((row) => ({
    id: row.id,
    ruleId: row.ruleId,
    status: row.status,
    expiresAt: toIsoOrNull(row.expiresAtMs),
    orgId: row.orgId,
    entityType: target,
    entityId: row.entityId,
  }))
}

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
