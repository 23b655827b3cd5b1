import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { FEATURES, scope } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { choice, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { liveOrganization, lockAccount } from '../account/organizations.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { TierName } from './tier-name.js'

/** `PUT /organization/:id/seat-limit`: the billing service sets what the account has bought. */
export const setOrganizationSeatLimit = command({
  name: 'identity.organization.set-seat-limit',
  summary: 'Set the seats, features and tier that an account has bought',
  http: { method: 'put', ...organizationPath('/:id/seat-limit') },
  access: scope('seats:sync'),
  tenant: fromPath('id'),
  acrossOrganizations: 'seats are those of the account',
  audit: ['admin.org.seatLimit.update'],
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({
      seats: Type.Integer({ minimum: -1, maximum: 2_000_000_000 }),
      features: Type.Optional(Type.Array(choice(FEATURES), { maxItems: FEATURES.length, uniqueItems: true })),
      tier: Type.Optional(TierName),
    }),
  },
  output: strictObject({
    id: Uuid,
    seats: nullable(Type.Integer()),
    features: Type.Array(Type.String()),
    tier: Type.String(),
  }),
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { body }) {
    const { tx, runtime, nowMs } = context
    const { rootOrgId } = await liveOrganization(tx, tenantId(context))
    const root = await lockAccount(tx, rootOrgId)
    const next = {
      seatLimit: body.seats,
      addonFeatures: body.features === undefined ? root.addonFeatures : [...body.features].sort(),
      tier: body.tier ?? root.tier,
    }
    if (runtime.settings.BILLING_ENABLED && body.tier === 'unlimited') {
      throw new Refusal('CONFLICT', 'the tier unlimited cannot be set while billing is on: choose another one')
    }
    const answer = { id: root.id, seats: next.seatLimit, features: next.addonFeatures, tier: next.tier }
    const isSame =
      root.seatLimit === next.seatLimit &&
      root.tier === next.tier &&
      JSON.stringify(root.addonFeatures) === JSON.stringify(next.addonFeatures)
    if (isSame) return unchanged(answer)
    const { organizations } = identityTables(tx)
    await tx
      .update(organizations)
      .set({ ...next, revision: root.revision + 1, updatedAtMs: nowMs })
      .where(eq(organizations.id, root.id))
    dropStale(context, { orgId: root.id })
    await context.audit('admin.org.seatLimit.update', {
      targetType: 'organization',
      targetId: root.id,
      affectedOrgId: root.id,
      details: { seats: next.seatLimit, features: next.addonFeatures, tier: next.tier },
    })
    return changed(answer)
  },
})
