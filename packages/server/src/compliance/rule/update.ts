/**
 * `PUT /compliance/rules/:id`: a field that is not sent stays, null clears it, and the merged rule is validated as a
 * whole.
 */
import { mergeRulePatch, type Rule, type RuleIssue, validateRule } from '@plumbline/engine'
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { DryRun } from '../../runtime/operation/dry-run.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { sameJson } from '../../runtime/same-json.js'
import type { Settings } from '../../runtime/settings/load.js'
import { heldOf } from '../held.js'
import { linkRule, policiesOf, unlinkRule } from '../membership/link.js'
import { lockRules } from '../rule-stamp.js'
import type { RuleRow } from '../tables.js'
import { regexLimits } from './create.js'
import { findOwnRule } from './find.js'
import { fieldIssue, refuseRule } from './issues.js'
import { setIssues } from './publish.js'
import { authoredColumns, engineRule, RuleRecord, ruleRecord, SERVER_OWNED } from './record.js'
import { type Mode, RulePatch } from './schema.js'
import { rulesInScope } from './scope.js'
import { writeRule } from './write.js'

export const updateRule = command({
  name: 'compliance.rule.update',
  summary: 'Change a rule',
  description:
    'Fields that are not sent stay; null clears. Target, scope and `isTemplate` cannot change. Changing `mode` from `enforce` needs a `reason`, which is kept in the audit trail.',
  http: { method: 'put', path: '/compliance/rules/:id' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.update'],
  serverOwned: SERVER_OWNED,
  input: { path: Type.Object({ id: Uuid }), query: DryRun, body: RulePatch },
  output: strictObject({ rule: RuleRecord }),
  errors: ['DUPLICATE_ENTRY', 'NOT_FOUND', 'VALIDATION_ERROR'],
  furtherIssues: ({ mode: _mode, reason: _reason, policyId: _policyId, ...patch }, { settings }) =>
    issuesOfPatch(patch, settings).map((issue) => fieldIssue(issue)),
  async run(context, { path, body }) {
    const { tx, runtime, nowMs, actor } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findOwnRule(tx, orgId, path.id)
    context.checkRevision(row.version)
    const listed = await policiesOf(tx, row)
    context.checkServerOwned(ruleRecord(row, orgId, listed))
    const { mode = row.mode as Mode, reason, policyId, ...patch } = body
    // guard: leaving-enforce-needs-a-reason
    if (row.mode === 'enforce' && mode !== 'enforce' && reason === undefined) {
      throw invalidField('/body/reason', 'is required when `mode` leaves `enforce`', 'required')
    }
    const stored = engineRule(row)
    const wanted = { ...stored, ...patch } as Rule
    const { rule, issues } = mergeRulePatch(stored, patch, {
      ...regexLimits(runtime.settings),
      rulesInScope: await rulesInScope(tx, heldOf(context), wanted),
    })
    const sets = setIssues(wanted)
    if (rule === null || sets.length > 0) throw refuseRule(issues, sets)
    const next: RuleRow = { ...row, ...authoredColumns(rule), mode }
    const isLinked =
      policyId !== undefined &&
      (policyId === null ? await unlinkRule(context, row) : await linkRule(context, row, policyId))
    const fields = [...changedFields(row, next), ...(isLinked ? ['policyIds'] : [])]
    if (fields.length === 0) return unchanged({ rule: ruleRecord(row, orgId, listed) })
    Object.assign(next, { version: row.version + 1, updatedAtMs: nowMs, updatedBy: actor.id })
    await writeRule(context, row, next, 'updated')
    await context.audit('compliance.rule.update', {
      targetType: 'rule',
      targetId: row.id,
      details: { name: next.name, changed: fields, ...(reason === undefined ? {} : { reason }) },
    })
    return changed({ rule: ruleRecord(next, orgId, await policiesOf(tx, next)) })
  },
})

/**
 * Issues with the fields of a patch that do not depend on the rule that it changes. Fields that the patch leaves out
 * count as valid here; `run` checks what depends on them.
 */
function issuesOfPatch(patch: Readonly<Record<string, unknown>>, settings: Settings): readonly RuleIssue[] {
  const sent = (name: string) => patch[name] !== undefined && patch[name] !== null
  const leaf = sent('conditions') ? {} : { field: 'name', operator: 'exists' }
  const issues = validateRule({ name: 'a', target: 'plugin', ...leaf, ...patch }, regexLimits(settings))
  return issues.filter(({ pointer }) => {
    const [, field = ''] = pointer.split('/')
    // Whether a value is valid depends on the operator, and how many conditions are valid depends on the mode.
    return (
      sent(field) && (field !== 'value' || sent('operator')) && (field !== 'conditions' || pointer !== '/conditions')
    )
  })
}

/** The changed fields, by their names in the API. */
function changedFields(before: RuleRow, after: RuleRow): string[] {
  const told = (row: RuleRow): Record<string, unknown> => ({ ...engineRule(row), mode: row.mode })
  const [old, now] = [told(before), told(after)]
  const names = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...names].filter((name) => !sameJson(old[name], now[name])).sort()
}
