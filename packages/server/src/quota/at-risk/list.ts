/** `GET /quotas/at-risk` and `/quotas/:orgId/at-risk`: who is near a limit. */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { LIMIT_DEFAULT, PAGE_FIELDS } from '../../runtime/operation/list.js'
import { fromPath, noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, LOOKING, mayRead } from '../view/get.js'
import { readQuotaView } from '../view/read.js'
import { AtRiskEntry, QuotaTypeName, type QuotaView } from '../view/schema.js'
import { findAtRisk } from './query.js'

const THRESHOLD_DEFAULT = 80

const wanted = Type.Object({
  ...PAGE_FIELDS,
  threshold: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: THRESHOLD_DEFAULT, description: 'Percent of the limit' }),
  ),
  type: Type.Optional(QuotaTypeName),
})

const AtRisk = strictObject({
  atRisk: Type.Array(AtRiskEntry),
  count: Type.Integer({ minimum: 0, description: 'On this page' }),
  total: Type.Integer({ minimum: 0 }),
  threshold: Type.Integer({ minimum: 1, maximum: 100 }),
  complete: Type.Literal(true),
})

export const listAtRisk = query({
  name: 'quota.at-risk.list',
  summary: 'List the organizations that are near a limit',
  http: { method: 'get', path: '/quotas/at-risk' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { query: wanted },
  output: AtRisk,
  errors: [],
  async run({ runtime, db, nowMs }, { query: asked }) {
    const { threshold = THRESHOLD_DEFAULT, type, limit = LIMIT_DEFAULT, offset = 0 } = asked
    const { atRisk, total } = await findAtRisk(runtime, db, { threshold, type, limit, offset }, nowMs)
    return { atRisk, count: atRisk.length, total, threshold, complete: true as const }
  },
})

export const listOwnAtRisk = query({
  name: 'quota.at-risk.get',
  summary: 'List the quotas of an organization that are near their limit',
  http: { method: 'get', path: '/quotas/:orgId/at-risk' },
  access: mayRead,
  tenant: fromPath('orgId'),
  acrossOrganizations: ACCOUNT_WIDE,
  uncounted: LOOKING,
  snapshot: true,
  input: { path: Type.Object({ orgId: Type.String() }), query: wanted },
  output: AtRisk,
  errors: ['NOT_FOUND'],
  async run(context, { query: asked }) {
    const { threshold = THRESHOLD_DEFAULT, type, limit = LIMIT_DEFAULT, offset = 0 } = asked
    const view = await readQuotaView(context.runtime, context.db, tenantId(context), context.nowMs)
    const near = nearLimits(view, threshold).filter((each) => type === undefined || each.type === type)
    const atRisk = near.slice(offset, offset + limit)
    return { atRisk, count: atRisk.length, total: near.length, threshold, complete: true as const }
  },
})

/** A team's own limit counts where it is the nearer one. */
function nearLimits(view: QuotaView, threshold: number): AtRiskEntry[] {
  const { orgId, name, slug, tier } = view
  return quotaTypes
    .flatMap((type) => {
      const { limit, used, team } = view.quotas[type]
      const places = [{ limit, used }, ...(team === null ? [] : [team])]
      const entries = places.flatMap((each) => (each.limit < 0 ? [] : [{ ...each, percent: percentOf(each) }]))
      const [nearest] = entries.sort((a, b) => b.percent - a.percent)
      return nearest === undefined || nearest.percent < threshold
        ? []
        : [{ orgId, name, slug, tier, type, used: nearest.used, limit: nearest.limit, percent: nearest.percent }]
    })
    .sort((a, b) => b.percent - a.percent || b.used - a.used || order(a.type) - order(b.type))
}

const order = (type: QuotaType): number => quotaTypes.indexOf(type)

/** Rounded down, not capped; of a limit of 0, 100 once anything is used. */
export const percentOf = ({ limit, used }: { readonly limit: number; readonly used: number }): number =>
  limit === 0 ? (used > 0 ? 100 : 0) : Number((BigInt(used) * 100n) / BigInt(limit))
