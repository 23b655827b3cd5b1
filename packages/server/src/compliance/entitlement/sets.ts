/** The sets of rules that a plan entitles an organization to, and what a change of them does. */
import { and, eq, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { either, scope, systemAdmin } from '../../runtime/operation/access.js'
import { Uuid } from '../../runtime/operation/schema.js'
import type { RuleWriting } from '../../runtime/records/rule-library.js'
import type { Tx } from '../../runtime/store/db.js'
import { SETS, type SetName, setTag } from '../rule/publish.js'
import { lockRules } from '../rule-stamp.js'
import { changeSubscription, insertSubscriptions, newSubscription } from '../subscription/write.js'
import { complianceTables, type RuleRow, type SubscriptionRow } from '../tables.js'

export const Path = Type.Object({ orgId: Uuid })

export const access = either(scope('entitlements:sync'), systemAdmin())

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
  // Anyone who switched a rule off while the set was held keeps it off until the set is gained again.
  // guard: a-push-leaves-off-what-somebody-switched-off
  if (row.optedOut && wasEntitled) return null
  return row.isActive ? null : 'activate'
}

type HeldSets = ReturnType<typeof complianceTables>['entitlements']['$inferSelect']

interface Applying {
  readonly held: HeldSets | undefined
  /** Null leaves the watermark as it is. */
  readonly occurredMs: number | null
  /** Stands in the evidence of each change. */
  readonly source: 'entitlement-sync' | 'tier'
}

/** Brings the subscriptions of an organization whose rules are locked in line with these sets, and remembers the sets. */
export async function applySets(
  context: RuleWriting,
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
  // guard: a-push-that-is-repeated-writes-nothing
  if (!isKnown || known.join() !== state.sets.join()) {
    await tx
      .insert(t)
      .values({ orgId, ...state })
      .onConflictDoUpdate({ target: t.orgId, set: state })
  }
  return counts
}

/** As a push of these sets: for a change of the tier, which says itself what the account has. */
export async function followSets(context: RuleWriting, orgId: string, asked: readonly SetName[]): Promise<void> {
  const { tx } = context
  if (orgId === SYSTEM_ORG_ID) return
  await lockRules(tx, orgId)
  const { entitlements: t } = complianceTables(tx)
  const [held] = await tx.select().from(t).where(eq(t.orgId, orgId))
  await applySets(context, orgId, entitledSets(asked).sets, { held, occurredMs: null, source: 'tier' })
}

async function reconcile(
  context: RuleWriting,
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
      // One that had ended begins again, whatever its rollout was.
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
