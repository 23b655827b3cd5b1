/** Reads what an organization is held to. Which of it counts is the engine's to say (`mergeRules`). */
import { mergeRules, type SourcedRule, type Target } from '@plumbline/engine'
import { and, eq, isNull } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import { engineRule } from '../rule/record.js'
import type { Mode } from '../rule/schema.js'
import { complianceTables, type RuleRow } from '../tables.js'
import type { Held } from './stamp.js'

export interface MergedRules {
  readonly rules: readonly SourcedRule[]
  /** Rollout of the rules that are not enforced as declared, by id. */
  readonly modes: ReadonlyMap<string, Mode>
}

/** The rules of one target in force for the organization; dates are left to the evaluation. */
export async function loadRules(db: Db, { orgId, parentOrgId }: Held, target: Target): Promise<MergedRules> {
  if (orgId === SYSTEM_ORG_ID) return { rules: [], modes: new Map() }
  const own = await ownRules(db, orgId, target)
  const inherited = parentOrgId === null ? [] : await handedDown(db, parentOrgId, target)
  const rules = mergeRules({
    orgId,
    target,
    own: own.map(engineRule),
    inherited: inherited.map(engineRule),
    subscriptions: [],
    policies: [],
  })
  const modes = new Map<string, Mode>()
  for (const { id, mode } of [...own, ...inherited]) if (mode !== 'enforce') modes.set(id, mode as Mode)
  return { rules, modes }
}

function ownRules(db: Db, orgId: string, target: Target): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(eq(t.orgId, orgId), eq(t.scope, 'org'), eq(t.target, target), eq(t.isActive, true), isNull(t.deletedAtMs)),
    )
}

function handedDown(db: Db, parentOrgId: string, target: Target): Promise<RuleRow[]> {
  const { rules: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, parentOrgId),
        eq(t.propagateToChildren, true),
        eq(t.scope, 'org'),
        eq(t.target, target),
        eq(t.isActive, true),
        isNull(t.deletedAtMs),
      ),
    )
}
