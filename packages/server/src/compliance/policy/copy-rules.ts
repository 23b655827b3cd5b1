/** Copies rules of another organization. */
import { cloneRules, type Rule } from '@plumbline/engine'
import { Refusal } from '../../runtime/errors.js'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { insertAuthored } from '../rule/create.js'
import { lockRules } from '../rule-stamp.js'
import { liveNames } from '../subscription/clone.js'
import type { RuleRow } from '../tables.js'

/** @throws Refusal 409 that lists references to rules outside the copied group. */
export async function copyRules(
  context: WriteContext<'compliance.rule.create'>,
  originals: readonly Rule[],
): Promise<RuleRow[]> {
  const { tx, runtime } = context
  const orgId = tenantId(context)
  await lockRules(tx, orgId)
  const { rules, leaving } = cloneRules(originals, {
    names: await liveNames(tx, orgId),
    newId: () => runtime.ids.next(),
    orgId,
  })
  if (leaving.length > 0) {
    throw new Refusal('CONFLICT', `${leaving.length} references point outside the group: copy these rules too`, {
      details: { leaving },
    })
  }
  const made: RuleRow[] = []
  for (const rule of rules) {
    const row = await insertAuthored(context, rule)
    made.push(row)
    await context.audit('compliance.rule.create', {
      targetType: 'rule',
      targetId: row.id,
      details: { name: row.name, reason: `copied from the template ${row.forkedFromRuleId}` },
    })
  }
  return made
}
