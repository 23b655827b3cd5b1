/**
 * `PUT /compliance/entitlements/:orgId`: brings an organization's subscriptions in line with the sets that its account
 * has bought (spec compliance 7). It runs in one transaction with the organization's rules locked. Pushes that arrive
 * twice, late or at the same time end in the same state, and a push that brings nothing new writes nothing.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { lockRules } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'
import { access, applySets, entitledSets, Path } from './sets.js'

const SETS_MAX = 16

const SyncResult = strictObject({
  ok: Type.Boolean(),
  skipped: Type.Optional(Type.Boolean({ description: 'A newer push was applied before: this one was ignored' })),
  activated: Type.Integer(),
  deactivated: Type.Integer(),
  ignored: Type.Array(Type.String(), { description: 'Unknown sets, and sets that need another one' }),
})

export const syncEntitlements = command({
  name: 'compliance.entitlement.sync',
  summary: 'Bring the subscriptions of an organization in line with its sets',
  description: 'For billing. With `occurredAt` a push that is not newer than the last one is skipped.',
  http: { method: 'put', path: '/compliance/entitlements/:orgId' },
  access,
  tenant: noTenant,
  audit: ['compliance.rule.toggle'],
  input: {
    path: Path,
    body: strictObject({
      sets: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: SETS_MAX }),
      occurredAt: Type.Optional(Instant),
    }),
  },
  output: SyncResult,
  errors: [],
  async run(context, { path: { orgId }, body }) {
    const { tx } = context
    const { sets, ignored } = entitledSets(body.sets)
    const nothing = { ok: true, activated: 0, deactivated: 0, ignored }
    if (orgId === SYSTEM_ORG_ID) return unchanged(nothing)
    // guard: pushes-at-once-take-turns
    await lockRules(tx, orgId)
    const { entitlements: t } = complianceTables(tx)
    const [held] = await tx.select().from(t).where(eq(t.orgId, orgId))
    const occurredMs = body.occurredAt === undefined ? null : Date.parse(body.occurredAt)
    if (
      occurredMs !== null &&
      held?.watermarkMs !== undefined &&
      held.watermarkMs !== null &&
      // guard: a-push-that-is-not-newer-is-skipped
      occurredMs <= held.watermarkMs
    ) {
      return unchanged({ ...nothing, skipped: true })
    }
    const counts = await applySets(context, orgId, sets, { held, occurredMs, source: 'entitlement-sync' })
    const data = { ...nothing, ...counts }
    return counts.activated + counts.deactivated === 0 ? unchanged(data) : changed(data)
  },
})
