/**
 * Loads the rules that applied to an organization at an instant in the past, from stored versions and validity
 * intervals.
 */
import type { Target } from '@plumbline/engine'
import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import { heldAt, lastOfEach } from '../past/interval.js'
import { assemble, isExempt, type MergedRules, NO_RULES, type RolledOut } from '../rule-set/assemble.js'
import { pinnedBodies } from '../rule-set/pinned.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'

/** The rules of one target that were in force. The evaluation itself applies the effective dates of a rule. */
export async function loadRulesAt(db: Db, held: Held, target: Target, atMs: number): Promise<MergedRules> {
  if (isExempt(held)) return NO_RULES
  const { orgId, parentOrgId } = held
  const { ruleVersions: t } = complianceTables(db)
  // guard: the-past-of-rules-own-ones
  const ofOrg = (id: string): SQL | undefined => and(eq(t.orgId, id), eq(t.scope, 'org'))
  const own = await versionsAt(db, ofOrg(orgId), target, atMs)
  const inherited =
    parentOrgId === null
      ? []
      : await versionsAt(db, and(ofOrg(parentOrgId), eq(t.propagateToChildren, true)), target, atMs)
  return assemble(held, target, {
    own,
    inherited,
    subscribed: await subscribedAt(db, orgId, target, atMs),
    grouped: await membershipsAt(db, parentOrgId === null ? [orgId] : [orgId, parentOrgId], atMs),
  })
}

/** The selected rule versions that were active at the instant. */
async function versionsAt(db: Db, meant: SQL | undefined, target: Target, atMs: number): Promise<RolledOut[]> {
  const { ruleVersions: t } = complianceTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(and(meant, heldAt(t, atMs)))
  return lastOfEach(rows, ({ ruleId }) => ruleId)
    .map(({ body, mode }) => ({ rule: body as RolledOut['rule'], mode }))
    .filter(({ rule }) => rule.target === target && rule.isActive !== false)
}

/**
 * A rule as it was at the instant, active or not, if it applied or could have applied to the organization; else null.
 */
export async function ruleAt(
  db: Db,
  { orgId, parentOrgId }: Held,
  id: string,
  atMs: number,
): Promise<RolledOut['rule'] | null> {
  const { ruleVersions: t } = complianceTables(db)
  const isHandedDown =
    parentOrgId === null
      ? undefined
      : and(eq(t.orgId, parentOrgId), eq(t.propagateToChildren, true), eq(t.isTemplate, false))
  const isPublished = and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'))
  // guard: the-impact-of-a-rule-of-the-past-one-that-could-be-held-to
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.ruleId, id), or(eq(t.orgId, orgId), isHandedDown, isPublished), heldAt(t, atMs)))
  const [version] = lastOfEach(rows, ({ ruleId }) => ruleId)
  return version === undefined ? null : (version.body as RolledOut['rule'])
}

async function subscribedAt(db: Db, orgId: string, target: Target, atMs: number) {
  const { subscriptionIntervals: s, ruleVersions: t } = complianceTables(db)
  // guard: the-past-of-subscriptions
  const rows = await db
    .select()
    .from(s)
    .where(and(eq(s.orgId, orgId), heldAt(s, atMs)))
  const intervals = new Map(lastOfEach(rows, ({ ruleId }) => ruleId).map((row) => [row.ruleId, row]))
  if (intervals.size === 0) return []
  const published = and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), inArray(t.ruleId, [...intervals.keys()]))
  const versions = await versionsAt(db, published, target, atMs)
  const bodies = await pinnedBodies(db, [...intervals.values()])
  return versions.map(({ rule }) => ({
    rule,
    mode: intervals.get(rule.id)?.mode ?? 'enforce',
    pinned: bodies.get(rule.id) ?? null,
  }))
}

async function membershipsAt(db: Db, orgIds: readonly string[], atMs: number) {
  const { policyRuleIntervals: t } = complianceTables(db)
  // guard: the-past-of-policies
  const rows = await db
    .select()
    .from(t)
    .where(and(inArray(t.orgId, [...orgIds]), heldAt(t, atMs)))
    .orderBy(asc(t.policyId))
  return lastOfEach(rows, ({ policyId, ruleId }) => `${policyId} ${ruleId}`)
}
