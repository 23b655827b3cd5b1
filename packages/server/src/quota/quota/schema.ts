/** Quotas as the API shows them (spec platform 12.4). */
import { quotaTypes, tiers } from '@plumbline/billing-core'
import Type, { type Static } from 'typebox'
import { FEATURES } from '../../runtime/operation/access.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { QuotaTypeName } from '../type-name.js'

const Amount = Type.Integer({ minimum: -1, description: '−1 is unlimited' })

const Count = Type.Integer({ minimum: 0 })

const Kind = Type.Enum(['capacity', 'metered'])

/** When the counter resets; null for capacity, which never resets. */
const ResetAt = nullable(Instant)

export const QuotaEntry = strictObject({
  limit: Amount,
  used: Count,
  remaining: Type.Integer({ minimum: -1, description: 'How much is left; −1 is unlimited' }),
  unlimited: Type.Boolean(),
  kind: Kind,
  resetAt: ResetAt,
  baseline: Type.Integer({ minimum: -1, description: "The tier's" }),
  addons: Type.Integer({ minimum: 0, description: 'What add-ons grant' }),
  override: nullable(Type.Integer({ minimum: -1, description: 'Set by hand; replaces baseline and add-ons' })),
  team: nullable(
    strictObject(
      { limit: Amount, used: Count },
      { description: 'Of a team: its own limit inside the account’s, and its share of what is used' },
    ),
  ),
})

export const QuotaView = strictObject({
  orgId: Uuid,
  name: Type.String(),
  slug: Type.String(),
  tier: Type.Enum([...tiers]),
  accountOrgId: Uuid,
  revision: Type.Integer({
    minimum: 1,
    description: 'Of the account: each change of its tier and of its limits raises it',
  }),
  pooled: Type.Boolean({ description: 'Whether it is a team: limits and usage are those of the account' }),
  periodStart: Instant,
  periodEnd: Instant,
  quotas: strictObject(Object.fromEntries(quotaTypes.map((type) => [type, QuotaEntry])) as QuotaEntries),
  seats: strictObject({ limit: Amount, used: Count, pending: Count, remaining: Amount }),
  features: Type.Array(Type.Enum([...FEATURES])),
})

type QuotaEntries = Record<(typeof quotaTypes)[number], typeof QuotaEntry>

export type QuotaView = Static<typeof QuotaView>

export type QuotaEntry = Static<typeof QuotaEntry>

export const QuotaStatus = strictObject({
  quotaType: QuotaTypeName,
  status: strictObject({
    limit: Amount,
    used: Count,
    remaining: Type.Integer({ minimum: -1 }),
    allowed: Type.Boolean({ description: 'Whether one more would be allowed' }),
    unlimited: Type.Boolean(),
    resetAt: ResetAt,
    kind: Kind,
  }),
})

export const AtRiskEntry = strictObject({
  orgId: Uuid,
  name: Type.String(),
  slug: Type.String(),
  tier: Type.Enum([...tiers]),
  type: QuotaTypeName,
  used: Count,
  limit: Count,
  percent: Type.Integer({
    minimum: 0,
    description: 'Rounded down; above 100 when a limit was lowered below the usage',
  }),
})

export type AtRiskEntry = Static<typeof AtRiskEntry>
