/**
 * A domain only for tests: rows that count as pipelines (stored as secrets, because every database has that table), and
 * the operation that creates them.
 */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { identityTables } from '../../src/identity/tables.js'
import { Refusal } from '../../src/runtime/errors.js'
import { permission } from '../../src/runtime/operation/access.js'
import { changed, tenantId } from '../../src/runtime/operation/context.js'
import { command, fromHeader, none } from '../../src/runtime/operation/operation.js'
import type { DomainRegistration } from '../../src/runtime/operation/registration.js'
import { strictObject } from '../../src/runtime/operation/schema.js'
import { capacityOf, countLive } from '../../src/runtime/records/capacity.js'
import type { Tx } from '../../src/runtime/store/db.js'

export const countPlaces = countLive((db) => {
  const { orgSecrets: places } = identityTables(db)
  return { table: places, orgId: places.orgId }
})

export const placesRegistration: DomainRegistration = {
  name: 'places',
  exportSections: [],
  exportReads: {},
  async *exportRows() {},
  purge: async () => 0,
  async erase() {},
  usage: { pipelines: countPlaces },
  async *blobs() {},
}

/**
 * `POST /places {count, fail?}`: creates this many rows, which use capacity. With `fail` it refuses after it created
 * them.
 */
export const createPlaces = command({
  name: 'test.place.create',
  summary: 'Fill places',
  http: { method: 'post', path: '/places', status: 201 },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  audit: none('it exists in tests alone'),
  input: { body: strictObject({ count: Type.Integer(), fail: Type.Optional(Type.Boolean()) }) },
  output: strictObject({ count: Type.Integer() }),
  errors: ['QUOTA_EXCEEDED', 'CONFLICT'],
  async prepare(context, { body: { count } }) {
    const orgId = tenantId(context)
    await context.read((db) => capacityOf(context.runtime).checkHeadroom(db, orgId, 'pipelines', count))
  },
  async run(context, { body: { count, fail } }) {
    const { tx, runtime } = context
    const orgId = tenantId(context)
    await capacityOf(runtime).take(tx, orgId, 'pipelines', count)
    await fillPlaces(
      tx,
      orgId,
      Array.from({ length: count }, () => runtime.ids.next()),
    )
    if (fail) throw new Refusal('CONFLICT', 'as it was asked to')
    return changed({ count })
  },
})

export async function fillPlaces(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const rest = { orgId, sealed: '', plugins: [], updatedBy: '', revision: 1, createdAtMs: 0, updatedAtMs: 0 }
  for (const id of ids) await tx.insert(identityTables(tx).orgSecrets).values({ id, name: id, ...rest })
}

export async function freePlaces(tx: Tx, orgIds: readonly string[], count = 1_000_000): Promise<void> {
  const { orgSecrets: places } = identityTables(tx)
  for (const orgId of orgIds) {
    const some = tx.select({ id: places.id }).from(places).where(eq(places.orgId, orgId)).limit(count)
    await tx.delete(places).where(and(eq(places.orgId, orgId), inArray(places.id, some)))
  }
}
