/** The exemptions that may cover a record now, and which stored record a check refers to. */
import { coveringKeyTexts, type EntityKey, type Exemption, entityKeyOf, type Target } from '@plumbline/engine'
import { and, eq, gt, inArray, lte, ne, or, type Placeholder, type SQL } from 'drizzle-orm'
import { toIsoOrNull } from '../../runtime/clock.js'
import type { Entity } from '../../runtime/inventory.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import type { Subject } from '../subject.js'
import { complianceTables, type ExemptionRow } from '../tables.js'

/** An exemption as the engine reads it, with the fields that reports show. */
export type HeldExemption = Exemption & { readonly reason: string; readonly expiresAt: string | null }

type Named = 'orgId' | 'entityType' | 'entityId' | 'key' | 'anyVersion'
const approved = prepared((db, value: (name: Named) => Placeholder) => {
  const { exemptions: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(
        // guard: an-exemption-by-key-is-of-its-organization
        eq(t.orgId, value('orgId')),
        eq(t.entityType, value('entityType')),
        eq(t.status, 'approved'),
        or(
          eq(t.entityId, value('entityId')),
          // guard: an-exemption-by-key-is-looked-for
          eq(t.entityKeyText, value('key')),
          // guard: an-exemption-of-every-version-is-looked-for
          eq(t.entityKeyText, value('anyVersion')),
        ),
      ),
    )
})

/** Matches no id and no key. */
const NOTHING = ''

export const keyTextsOf = (key: EntityKey | null): readonly string[] => (key === null ? [] : coveringKeyTexts(key))

/** The approved exemptions that may cover this record. The evaluation then compares the record and the expiry. */
export async function exemptionsOf(
  db: Db,
  orgId: string,
  { target, entityId, key }: Subject,
): Promise<readonly HeldExemption[]> {
  const [text = NOTHING, anyVersion = text] = keyTextsOf(key)
  // guard: an-exemption-holds-for-its-entity
  const rows = await approved(db, { orgId, entityType: target, entityId: entityId ?? NOTHING, key: text, anyVersion })
  return inOrder(rows).map((row) => engineExemption(row, target))
}

/**
 * The exemptions that were approved at an instant in the past; the evaluation compares their expiry with that instant.
 * An exemption is approved once, at `reviewedAtMs`. An approved exemption is last written when it is revoked or has
 * expired.
 */
export async function exemptionsAt(
  db: Db,
  orgId: string,
  { target, entityId, key }: Subject,
  atMs: number,
): Promise<readonly HeldExemption[]> {
  const { exemptions: t } = complianceTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, orgId),
        mayBeFor(db, entityId === null ? [] : [entityId], keyTextsOf(key)),
        eq(t.entityType, target),
        inArray(t.status, ['approved', 'revoked', 'expired']),
        lte(t.reviewedAtMs, atMs),
        // guard: an-exemption-that-was-revoked-waives-until-then
        or(ne(t.status, 'revoked'), gt(t.updatedAtMs, atMs)),
      ),
    )
  return inOrder(rows).map((row) => engineExemption({ ...row, status: 'approved' }, target))
}

/** The approved exemptions that may cover any of these records, by record id. */
export async function exemptionsOfMany(
  db: Db,
  orgId: string,
  target: Target,
  entities: readonly Pick<Entity, 'id' | 'attributes'>[],
): Promise<ReadonlyMap<string, readonly HeldExemption[]>> {
  const { exemptions: t } = complianceTables(db)
  const texts = new Map(entities.map(({ id, attributes }) => [id, keyTextsOf(entityKeyOf(target, attributes))]))
  const rows = await db
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, orgId),
        mayBeFor(db, [...texts.keys()], [...new Set([...texts.values()].flat())]),
        eq(t.entityType, target),
        eq(t.status, 'approved'),
      ),
    )
  const byName = new Map<string, ExemptionRow[]>()
  for (const row of rows) {
    const name = row.entityId ?? row.entityKeyText ?? NOTHING
    byName.set(name, [...(byName.get(name) ?? []), row])
  }
  if (byName.size === 0) return new Map()
  return new Map(
    [...texts].map(([id, keys]) => [
      id,
      inOrder([id, ...keys].flatMap((name) => byName.get(name) ?? [])).map((row) => engineExemption(row, target)),
    ]),
  )
}

function mayBeFor(db: Db, ids: readonly string[], texts: readonly string[]): SQL | undefined {
  const { exemptions: t } = complianceTables(db)
  return or(inArray(t.entityId, [...ids]), inArray(t.entityKeyText, [...texts]))
}

/** Where several exemptions cover one rule, the oldest is applied, by the server and by a bundle alike. */
export const inOrder = (rows: readonly ExemptionRow[]): ExemptionRow[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

const engineExemption = (row: ExemptionRow, target: Target): HeldExemption => ({
  id: row.id,
  ruleId: row.ruleId,
  status: row.status,
  // guard: an-exemption-ends-by-the-clock-before-it-is-decided
  // guard: an-exemption-ends-by-the-clock
  expiresAt: toIsoOrNull(row.expiresAtMs),
  orgId: row.orgId,
  entityType: target,
  entityId: row.entityId,
  entityKey: row.entityKey,
  reason: row.reason,
})

/**
 * Resolves a subject that is named by its key alone to the stored record with that key, if there is one. Names are not
 * compared.
 */
export async function resolveSubject(
  db: Db,
  { entities = [] }: Pick<Runtime, 'entities'>,
  orgId: string,
  subject: Subject,
): Promise<Subject> {
  if (subject.entityId !== null || subject.key === null) return subject
  const source = entities.find(({ target }) => target === subject.target)
  const entityId = (await source?.idOfKey(db, orgId, subject.key)) ?? null
  // guard: a-record-is-found-by-its-key-and-not-by-its-name
  // guard: a-key-leads-to-the-stored-record
  return entityId === null ? subject : { ...subject, entityId }
}
