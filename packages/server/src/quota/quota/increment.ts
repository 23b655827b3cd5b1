/** `POST /quotas/:orgId/increment`: a service reports what an organization used. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath, none } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { isoOrNull, type QuotaState, quotaHeaders, remainingOf } from '../limit/exceeded.js'
import { consume } from '../meter/consume.js'
import { quotaTables } from '../tables.js'
import { QuotaTypeName } from '../type-name.js'
import { readQuotaView } from './read.js'
import { ACCOUNT_WIDE } from './view.js'

/**
 * Types that services report: use within a period, and bytes that other services store. Records are counted where they
 * are stored.
 */
const REPORTED = ['apiCalls', 'aiCalls', 'storageBytes'] as const
type Reported = (typeof REPORTED)[number]

const AMOUNT_MAX = 1000

export const incrementQuota = command({
  name: 'quota.quota.increment',
  summary: 'Report the usage of an organization',
  description: `At most ${AMOUNT_MAX} a request. A request that would exceed the limit counts nothing. The same idempotencyKey counts once in 24 hours.`,
  http: { method: 'post', path: '/quotas/:orgId/increment' },
  access: scope('quota:increment'),
  tenant: fromPath('orgId'),
  acrossOrganizations: ACCOUNT_WIDE,
  audit: none('it counts usage; the service that did the work records it'),
  input: {
    path: Type.Object({ orgId: Type.String() }),
    body: strictObject({
      quotaType: Type.Enum([...REPORTED]),
      amount: Type.Optional(Type.Integer({ minimum: 1, maximum: AMOUNT_MAX, default: 1 })),
      idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    }),
  },
  output: strictObject({
    quota: strictObject({
      type: QuotaTypeName,
      limit: Type.Integer({ minimum: -1 }),
      used: Type.Integer({ minimum: 0 }),
      remaining: Type.Integer({ minimum: -1 }),
      resetAt: nullable(Instant),
    }),
  }),
  errors: ['IDEMPOTENCY_MISMATCH', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
  async run(context, { body: { quotaType, amount = 1, idempotencyKey } }) {
    const orgId = tenantId(context)
    if (idempotencyKey !== undefined && !(await claim(context, orgId, idempotencyKey, quotaType, amount))) {
      return unchanged(answer(await stateOf(context, orgId, quotaType)))
    }
    const state = await consume(context.tx, context.runtime, orgId, quotaType, amount)
    return changed(answer(state), { headers: quotaHeaders(state) })
  },
})

const answer = (state: QuotaState) => ({
  quota: {
    type: state.type,
    limit: state.limit,
    used: state.used,
    remaining: remainingOf(state),
    resetAt: isoOrNull(state.resetAtMs),
  },
})

/**
 * @returns whether the key is new. A refused increment releases the key when its transaction rolls back.
 * @throws Refusal 422 `IDEMPOTENCY_MISMATCH` when the key was used for another increment.
 */
async function claim(
  { tx, nowMs }: WriteContext,
  orgId: string,
  key: string,
  type: Reported,
  amount: number,
): Promise<boolean> {
  const { quotaIncrements: t } = quotaTables(tx)
  if (await insertNew(tx, t, { orgId, key, type, amount, createdAtMs: nowMs })) return true
  const [before] = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.key, key)))
  // guard: an-idempotencykey-is-for-one-increment
  if (before?.type !== type || before.amount !== amount) {
    throw new Refusal('IDEMPOTENCY_MISMATCH', 'the idempotencyKey was used for another increment: use a new one')
  }
  return false
}

async function stateOf({ tx, runtime, nowMs }: WriteContext, orgId: string, type: Reported): Promise<QuotaState> {
  const { limit, used, resetAt } = (await readQuotaView(runtime, tx, orgId, nowMs)).quotas[type]
  return { type, limit, used, resetAtMs: resetAt === null ? null : Date.parse(resetAt) }
}
