/**
 * Stores the policies of the libraries after their rules. A policy that is already as it should be is not written
 * again.
 */

import { isDeepStrictEqual } from 'node:util'
import { type LibraryPolicy, libraryPolicies } from '@plumbline/rules'
import { and, eq, isNull } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { type EvidenceSource, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { setMembers } from '../membership/write.js'
import { membersOf } from '../policy/record.js'
import { insertPolicy, liveKey, updatePolicyRow } from '../policy/write.js'
import { ruleText } from '../rule/schema.js'
import { complianceTables, type PolicyRow, type RuleRow } from '../tables.js'

export interface LoadedPolicies {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly unchanged: readonly string[]
}

type Writing = EvidenceSource & Pick<WriteContext, 'enqueue'> & { readonly tx: Tx; readonly groupId: string }

/**
 * @param rules the live rules of the system organization by name; a rule that was not loaded is left out of its
 * policies.
 */
export async function publishPolicies(writing: Writing, rules: ReadonlyMap<string, RuleRow>): Promise<LoadedPolicies> {
  const { policies: t } = complianceTables(writing.tx)
  const rows = await writing.tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, SYSTEM_ORG_ID), isNull(t.deletedAtMs)))
  const outcomes: Record<keyof LoadedPolicies, string[]> = { added: [], changed: [], unchanged: [] }
  for (const policy of libraryPolicies) {
    const members = policy.rules.flatMap((name) => {
      const rule = rules.get(name)
      return rule?.scope === 'published' ? [rule.id] : []
    })
    const before = rows.find(({ name }) => name === policy.name)
    outcomes[await publishPolicy(writing, before, policy, members)].push(policy.name)
  }
  return outcomes
}

async function publishPolicy(
  writing: Writing,
  before: PolicyRow | undefined,
  policy: LibraryPolicy,
  members: readonly string[],
): Promise<keyof LoadedPolicies> {
  const { tx, runtime, nowMs, actor } = writing
  const wanted = {
    name: policy.name,
    nameKey: nameKey(policy.name),
    version: policy.version,
    liveKey: liveKey(policy.name, policy.version),
    description: policy.description,
    tags: [...policy.tags],
    tagText: ruleText(policy.tags),
    isTemplate: policy.isTemplate,
    isPublished: !policy.isTemplate,
  }
  const by = { updatedAtMs: nowMs, updatedBy: actor.id }
  if (before === undefined) {
    const row: PolicyRow = {
      ...wanted,
      ...by,
      id: runtime.ids.next(),
      orgId: SYSTEM_ORG_ID,
      isActive: true,
      revision: 1,
      createdAtMs: nowMs,
      createdBy: actor.id,
      ...NOT_DELETED,
    }
    await insertPolicy(tx, row)
    await setMembers(writing, row, members)
    await tell(writing, 'compliance.policy.create', row)
    return 'added'
  }
  const held = ((await membersOf(tx, [before.id])).get(before.id) ?? []).map(({ id }) => id)
  const isSame =
    isDeepStrictEqual([...held].sort(), [...members].sort()) &&
    Object.entries(wanted).every(([column, value]) => isDeepStrictEqual(before[column as keyof PolicyRow], value))
  if (isSame) return 'unchanged'
  const row: PolicyRow = { ...before, ...wanted, ...by, revision: before.revision + 1 }
  await updatePolicyRow(tx, row)
  await setMembers(writing, row, members)
  await tell(writing, 'compliance.policy.update', row)
  return 'changed'
}

const tell = (
  writing: Writing,
  action: 'compliance.policy.create' | 'compliance.policy.update',
  { id, name }: PolicyRow,
): Promise<string> =>
  writeEvidence(writing.tx, writing, action, {
    orgId: SYSTEM_ORG_ID,
    targetType: 'policy',
    targetId: id,
    groupId: writing.groupId,
    details: { name, reason: 'content' },
  })
