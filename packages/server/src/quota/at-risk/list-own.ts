/** List the quotas of an organization that are near their limit. */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import Type from 'typebox'
import { tenantId } from '../../runtime/operation/context.js'
import { LIMIT_DEFAULT } from '../../runtime/operation/list.js'
import { fromPath, query } from '../../runtime/operation/operation.js'
import { readQuotaView } from '../quota/read.js'
import type { AtRiskEntry, QuotaView } from '../quota/schema.js'
import { ACCOUNT_WIDE, LOOKING, mayRead } from '../quota/view.js'
import { AtRisk, THRESHOLD_DEFAULT, wanted } from './record.js'

export const listOwnAtRisk = query({
  name: 'quota.at-risk.list-own',
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

/** For a team, the limit with the higher percentage is reported: its own or the account's. */
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

/** Rounded down and not capped. For a limit of 0 it is 100 as soon as anything is used. */
export const percentOf = ({ limit, used }: { readonly limit: number; readonly used: number }): number =>
  limit === 0 ? (used > 0 ? 100 : 0) : Number((BigInt(used) * 100n) / BigInt(limit))
