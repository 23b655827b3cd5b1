/** The sets of rules that a plan entitles an organization to, and how a change of the sets changes subscriptions. */
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

/** Splits the requested sets into those that count and those that are ignored: `advanced` needs `standard`. */
export function entitledSets(asked: readonly string[]): { sets: Set<SetName>; ignored: string[] } {
  const sets = new Set(SETS.filter((name) => asked.includes(name)))
  const ignored = [...new Set(asked)].filter((name) => !(SETS as readonly string[]).includes(name))
  if (sets.has('advanced') && !sets.has('standard')) {
    sets.delete('advanced')
    ignored.push('advanced')
  }
  return { sets, ignored }
}

/** The set that a rule needs; with both tags, `advanced`. */
export const setOf = ({ tags }: Pick<RuleRow, 'tags'>): SetName | null =>
  tags.includes(setTag('advanced')) ? 'advanced' : tags.includes(setTag('standard')) ? 'standard' : null

/** How a push changes one subscription; null for no change. */
export function nextState(
  row: Pick<SubscriptionRow, 'isActive' | 'optedOut' | 'source' | 'unsubscribedAtMs'> | null,
  { isEntitled, wasEntitled }: { readonly isEntitled: boolean; readonly wasEntitled: boolean },
): 'activate' | 'deactivate' | null {
  if (!isEntitled) return row?.isActive === true ? 'deactivate' : null
  if (row === null) return 'activate'
  // A rule that a member switched off while the organization had the set stays off until the set is granted again.
  // guard: a-push-leaves-off-what-somebody-switched-off
  if (row.optedOut && wasEntitled) return null
  return row.isActive ? null : 'activate'
}

type HeldSets = ReturnType<typeof complianceTables>['entitlements']['$inferSelect']

interface Applying {
  readonly held: HeldSets | undefined
  /** The sets that the organization held before; those of its row when absent. */
  readonly before?: ReadonlySet<SetName>
  /** Null leaves the watermark as it is. */
  readonly occurredMs: number | null
  /** Recorded in the audit event of each change. */
  readonly source: 'entitlement-sync' | 'tier'
}

/**
 * Brings the subscriptions of an organization in line with these sets and stores the sets. The caller has locked the
 * organization's rules.
 */
export async function applySets(
  context: RuleWriting,
  orgId: string,
  sets: ReadonlySet<SetName>,
  { held, before = entitledSets(held?.sets ?? []).sets, occurredMs, source }: Applying,
): Promise<{ activated: number; deactivated: number }> {
  const { tx, nowMs } = context
  const { entitlements: t } = complianceTables(tx)
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

/**
 * Applies sets as a push does: for a change of tier, where the tier itself determines the sets.
 *
 * @param before the sets that the tier gave until now. An organization that was made since its account got them has no
 *   row yet, but it held them.
 */
export async function followSets(
  context: RuleWriting,
  orgId: string,
  before: readonly SetName[],
  asked: readonly SetName[],
): Promise<void> {
  const { tx } = context
  if (orgId === SYSTEM_ORG_ID) return
  await lockRules(tx, orgId)
  const { entitlements: t } = complianceTables(tx)
  const [held] = await tx.select().from(t).where(eq(t.orgId, orgId))
  const stated = held === undefined ? { before: entitledSets(before).sets } : {}
  await applySets(context, orgId, entitledSets(asked).sets, { held, ...stated, occurredMs: null, source: 'tier' })
}

async function reconcile(
  context: RuleWriting,
  orgId: string,
  { sets, before, source }: { sets: ReadonlySet<SetName>; before: ReadonlySet<SetName>; source: Applying['source'] },
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
      // A subscription that had ended begins again in mode `enforce`, whatever its rollout was before.
      const begun =
        row.unsubscribedAtMs === null ? {} : { mode: 'enforce', subscribedAtMs: nowMs, subscribedBy: actor.id }
      const gained = { source: 'entitlement', optedOut: false, unsubscribedAtMs: null, unsubscribedBy: null, ...begun }
      await changeSubscription(context, row, isActive ? { isActive, ...gained } : { isActive })
    }
    counts[isActive ? 'activated' : 'deactivated'] += 1
    await context.audit('compliance.rule.toggle', {
      // A change of tier is an act of the operator: its audit event is the operator's and names the affected tenant.
      ...(source === 'tier' ? { affectedOrgId: orgId } : { orgId }),
      targetType: 'rule',
      targetId: rule.id,
      details: { name: rule.name, isActive, source },
    })
  }
  return counts
}

/** The live published rules of any set; inactive rules are left out. */
async function rulesOfSets(tx: Tx): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(tx)
  const published = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), eq(t.isActive, true), isNull(t.deletedAtMs)))
  return published.filter((rule) => setOf(rule) !== null)
}
