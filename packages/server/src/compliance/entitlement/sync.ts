/**
 * `PUT /compliance/entitlements/:orgId`: brings an organization's subscriptions in line with the sets that its account has
 * bought (compliance decisions 7). One transaction, with the organization's rules locked: pushes that come twice, late or at
 * once end in the same state, and one that brings nothing new writes nothing.
 */
import { and, eq, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIsoOrNull } from '../../runtime/clock.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { either, scope, systemAdmin } from '../../runtime/operation/access.js'
import { changed, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { SETS, type SetName, setTag } from '../rule/publish.js'
import { lockRules } from '../rule-set/stamp.js'
import { changeSubscription, insertSubscriptions, newSubscription } from '../subscription/write.js'
import { complianceTables, type RuleRow, type SubscriptionRow } from '../tables.js'

const Path = Type.Object({ orgId: Uuid })
const access = either(scope('entitlements:sync'), systemAdmin())
const SETS_MAX = 16

const SyncResult = strictObject({
  ok: Type.Boolean(),
  skipped: Type.Optional(Type.Boolean({ description: 'A newer push was applied before: nothing was done' })),
  activated: Type.Integer(),
  deactivated: Type.Integer(),
  ignored: Type.Array(Type.String(), { description: 'Sets that are not known, or need another one' }),
})

/** The sets that count, and those that do not: `advanced` needs `standard`. */
export function entitledSets(asked: readonly string[]): { sets: Set<SetName>; ignored: string[] } {
  const sets = new Set(SETS.filter((name) => asked.includes(name)))
  const ignored = [...new Set(asked)].filter((name) => !(SETS as readonly string[]).includes(name))
  if (sets.has('advanced') && !sets.has('standard')) {
    sets.delete('advanced')
    ignored.push('advanced')
  }
  return { sets, ignored }
}

/** The set that a rule needs: of both, the higher. */
export const setOf = ({ tags }: Pick<RuleRow, 'tags'>): SetName | null =>
  tags.includes(setTag('advanced')) ? 'advanced' : tags.includes(setTag('standard')) ? 'standard' : null

/** What a push makes of one subscription; null for nothing. */
export function nextState(
  row: Pick<SubscriptionRow, 'isActive' | 'optedOut' | 'source' | 'unsubscribedAtMs'> | null,
  { isEntitled, wasEntitled }: { readonly isEntitled: boolean; readonly wasEntitled: boolean },
): 'activate' | 'deactivate' | null {
  if (!isEntitled) return row?.isActive === true ? 'deactivate' : null
  if (row === null) return 'activate'
  // Whoever switched a rule off while the set was held keeps it off until the set is gained anew.
  if (row.optedOut && wasEntitled) return null
  return row.isActive ? null : 'activate'
}

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
    await lockRules(tx, orgId)
    const { entitlements: t } = complianceTables(tx)
    const [held] = await tx.select().from(t).where(eq(t.orgId, orgId))
    const occurredMs = body.occurredAt === undefined ? null : Date.parse(body.occurredAt)
    if (
      occurredMs !== null &&
      held?.watermarkMs !== undefined &&
      held.watermarkMs !== null &&
      occurredMs <= held.watermarkMs
    ) {
      return unchanged({ ...nothing, skipped: true })
    }
    const counts = await applySets(context, orgId, sets, { held, occurredMs, source: 'entitlement-sync' })
    const data = { ...nothing, ...counts }
    return counts.activated + counts.deactivated === 0 ? unchanged(data) : changed(data)
  },
})

type HeldSets = ReturnType<typeof complianceTables>['entitlements']['$inferSelect']

interface Applying {
  readonly held: HeldSets | undefined
  /** Null leaves the watermark as it is. */
  readonly occurredMs: number | null
  /** Stands in the evidence of each change. */
  readonly source: 'entitlement-sync' | 'tier'
}

/** Brings the subscriptions of an organization whose rules are locked in line with these sets, and remembers the sets. */
async function applySets(
  context: WriteContext<'compliance.rule.toggle'>,
  orgId: string,
  sets: ReadonlySet<SetName>,
  { held, occurredMs, source }: Applying,
): Promise<{ activated: number; deactivated: number }> {
  const { tx, nowMs } = context
  const { entitlements: t } = complianceTables(tx)
  const before = new Set<string>(held?.sets ?? [])
  const counts = await reconcile(context, orgId, { sets, before, source })
  const state = { sets: [...sets], watermarkMs: occurredMs ?? held?.watermarkMs ?? null, updatedAtMs: nowMs }
  const [known, isKnown] = [held?.sets ?? [], (held?.watermarkMs ?? null) === state.watermarkMs]
  if (!isKnown || known.join() !== state.sets.join()) {
    await tx
      .insert(t)
      .values({ orgId, ...state })
      .onConflictDoUpdate({ target: t.orgId, set: state })
  }
  return counts
}

/** As a push of these sets: for a change of the tier, which says itself what the account has. */
export async function followSets(
  context: WriteContext<'compliance.rule.toggle'>,
  orgId: string,
  asked: readonly SetName[],
): Promise<void> {
  const { tx } = context
  if (orgId === SYSTEM_ORG_ID) return
  await lockRules(tx, orgId)
  const { entitlements: t } = complianceTables(tx)
  const [held] = await tx.select().from(t).where(eq(t.orgId, orgId))
  await applySets(context, orgId, entitledSets(asked).sets, { held, occurredMs: null, source: 'tier' })
}

async function reconcile(
  context: WriteContext<'compliance.rule.toggle'>,
  orgId: string,
  { sets, before, source }: { sets: ReadonlySet<SetName>; before: ReadonlySet<string>; source: Applying['source'] },
): Promise<{ activated: number; deactivated: number }> {
  const { tx, runtime, nowMs, actor } = context
  const { subscriptions } = complianceTables(tx)
  const rows = await tx.select().from(subscriptions).where(eq(subscriptions.orgId, orgId))
  const known = new Map(rows.map((row) => [row.ruleId, row]))
  const counts = { activated: 0, deactivated: 0 }
  for (const rule of await rulesOfSets(tx)) {
    const set = setOf(rule)
    if (set === null) continue
    const row = known.get(rule.id) ?? null
    const next = nextState(row, { isEntitled: sets.has(set), wasEntitled: before.has(set) })
    if (next === null) continue
    const isActive = next === 'activate'
    if (row === null) {
      const fresh = { orgId, ruleId: rule.id, source: 'entitlement', isActive, by: actor.id } as const
      await insertSubscriptions(context, [newSubscription(runtime, fresh, nowMs)])
    } else {
      // One that had ended begins anew, whatever its rollout was.
      const begun =
        row.unsubscribedAtMs === null ? {} : { mode: 'enforce', subscribedAtMs: nowMs, subscribedBy: actor.id }
      const gained = { source: 'entitlement', optedOut: false, unsubscribedAtMs: null, unsubscribedBy: null, ...begun }
      await changeSubscription(context, row, isActive ? { isActive, ...gained } : { isActive })
    }
    counts[isActive ? 'activated' : 'deactivated'] += 1
    await context.audit('compliance.rule.toggle', {
      // An operator's act on a tenant is the operator's, and affects the tenant.
      ...(source === 'tier' ? { affectedOrgId: orgId } : { orgId }),
      targetType: 'rule',
      targetId: rule.id,
      details: { name: rule.name, isActive, source },
    })
  }
  return counts
}

/** Live published rules of any set; an inactive one is left as it is. */
async function rulesOfSets(tx: Tx): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(tx)
  const published = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), eq(t.isActive, true), isNull(t.deletedAtMs)))
  return published.filter((rule) => setOf(rule) !== null)
}

export const getEntitlements = query({
  name: 'compliance.entitlement.get',
  summary: 'Read the sets whose rules an organization has active, and the last push',
  http: { method: 'get', path: '/compliance/entitlements/:orgId' },
  access,
  tenant: noTenant,
  input: { path: Path },
  output: strictObject({ sets: Type.Array(Type.Enum([...SETS])), watermark: nullable(Instant) }),
  errors: [],
  async run({ db }, { path: { orgId } }): Promise<{ sets: SetName[]; watermark: Static<typeof Instant> | null }> {
    const { entitlements: t, rules, subscriptions: s } = complianceTables(db)
    const [held] = await db.select().from(t).where(eq(t.orgId, orgId))
    const active = await db
      .select({ tags: rules.tags })
      .from(s)
      .innerJoin(rules, eq(rules.id, s.ruleId))
      .where(and(eq(s.orgId, orgId), eq(s.isActive, true), isNull(s.unsubscribedAtMs), isNull(rules.deletedAtMs)))
    const found = new Set(active.map(setOf))
    return { sets: SETS.filter((name) => found.has(name)), watermark: toIsoOrNull(held?.watermarkMs ?? null) }
  },
})
