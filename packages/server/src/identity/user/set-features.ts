/** Switch features on or off for one person. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { FEATURES, systemAdmin } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { onUser } from './invite.js'
import { findUser } from './record.js'

export const setUserFeatures = command({
  name: 'identity.user.set-features',
  summary: 'Switch features on or off for one person',
  http: { method: 'put', path: '/admin/users/:id/features' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['admin.user.features.update'],
  input: {
    path: onUser,
    body: strictObject(Object.fromEntries(FEATURES.map((name) => [name, Type.Optional(nullable(Type.Boolean()))])), {
      minProperties: 1,
    }),
  },
  output: strictObject({ id: Uuid, features: Type.Record(Type.String(), Type.Boolean()) }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id }, body }) {
    const { tx, nowMs } = context
    await lockRow(tx, 'users', id)
    const row = await findUser(tx, id)
    const wanted = { ...row.featureOverrides, ...(body as Record<string, boolean | null>) }
    const features = Object.fromEntries(
      Object.entries(wanted)
        .filter((entry): entry is [string, boolean] => entry[1] !== null)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    if (JSON.stringify(features) === JSON.stringify(row.featureOverrides)) return unchanged({ id, features })
    const { users } = identityTables(tx)
    await tx
      .update(users)
      .set({ featureOverrides: features, revision: row.revision + 1, updatedAtMs: nowMs })
      .where(eq(users.id, id))
    dropStale(context, { userId: id })
    await context.audit('admin.user.features.update', { targetType: 'user', targetId: id, details: { features } })
    return changed({ id, features })
  },
})
