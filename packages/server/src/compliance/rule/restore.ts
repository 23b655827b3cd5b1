/** Restores a deleted rule (spec compliance 20). Needs a step-up. */

import { mergeRulePatch } from '@plumbline/engine'
import Type from 'typebox'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { heldOf } from '../held.js'
import { policiesOf } from '../membership/link.js'
import { lockRules } from '../rule-stamp.js'
import type { RuleRow } from '../tables.js'
import { regexLimits } from './create.js'
import { findTombstone } from './find.js'
import { refuseRule } from './issues.js'
import { engineRule, RuleRecord, ruleRecord } from './record.js'
import { rulesInScope } from './scope.js'
import { writeRule } from './write.js'

export const Path = Type.Object({ id: Uuid })

export const restoreRule = command({
  name: 'compliance.rule.restore',
  summary: 'Restore a deleted rule',
  description: 'It is checked like a new rule: its dependencies must exist, and its name must be free.',
  http: { method: 'post', path: '/compliance/rules/:id/restore' },
  access: withStepUp(permission('compliance:write')),
  tenant: fromHeader,
  audit: ['compliance.rule.restore'],
  input: { path: Path },
  output: strictObject({ rule: RuleRecord }),
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path }) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findTombstone(tx, orgId, path.id)
    const revived: RuleRow = {
      ...row,
      liveName: row.name,
      version: row.version + 1,
      updatedAtMs: nowMs,
      updatedBy: actor.id,
      ...NOT_DELETED,
    }
    const rule = engineRule(revived)
    const { issues } = mergeRulePatch(
      rule,
      {},
      {
        ...regexLimits(runtime.settings),
        rulesInScope: await rulesInScope(tx, heldOf(context), rule),
      },
    )
    if (issues.length > 0) throw refuseRule(issues)
    await writeRule(context, row, revived, 'restored')
    await context.audit('compliance.rule.restore', {
      targetType: 'rule',
      targetId: row.id,
      details: { name: row.name },
    })
    // A deleted rule stays in its policies.
    return changed({ rule: ruleRecord(revived, orgId, await policiesOf(tx, revived)) })
  },
})
