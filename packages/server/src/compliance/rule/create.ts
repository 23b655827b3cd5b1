/** `POST /compliance/rules`. Source: spec compliance 1 and 12. */

import { normaliseRule, type Rule, validateRule } from '@plumbline/engine'
import { permission } from '../../runtime/operation/access.js'
import { changed, type PrepareContext, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { DryRun } from '../../runtime/operation/dry-run.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { Settings } from '../../runtime/settings/load.js'
import { heldOf } from '../held.js'
import { linkRule } from '../membership/link.js'
import { lockRules } from '../rule-stamp.js'
import type { RuleRow } from '../tables.js'
import { fieldIssue, refuseRule } from './issues.js'
import { checkPublishing, setIssues } from './publish.js'
import { authoredColumns, RuleRecord, ruleRecord } from './record.js'
import { type Mode, RuleDraft } from './schema.js'
import { rulesInScope } from './scope.js'
import { insertRule } from './write.js'

export const regexLimits = (settings: Settings) => ({
  limits: { regexLength: settings.COMPLIANCE_MAX_REGEX_LENGTH },
})

export const createRule = command({
  name: 'compliance.rule.create',
  summary: 'Create a rule',
  description: 'The answer lists every problem of the rule. References (`dependsOnRule`) by name are stored as ids.',
  http: { method: 'post', path: '/compliance/rules', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.create'],
  idempotent: true,
  input: { query: DryRun, body: RuleDraft },
  output: strictObject({ rule: RuleRecord }),
  errors: ['DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  furtherIssues: ({ mode: _mode, policyId: _policyId, ...draft }, { settings }) =>
    validateRule(draft, regexLimits(settings)).map((issue) => fieldIssue(issue)),
  async prepare(context, { body }) {
    checkDraft(context, body)
  },
  async run(context, { body }) {
    const { mode = 'enforce', policyId = null, ...draft } = body
    const row = await addRule(context, draft as Rule, mode)
    if (policyId !== null) await linkRule(context, row, policyId)
    await context.audit('compliance.rule.create', { targetType: 'rule', targetId: row.id, details: { name: row.name } })
    return changed({ rule: ruleRecord(row, row.orgId, policyId === null ? [] : [policyId]) })
  },
})

/** Checks a draft without reading other rules, before a transaction begins. */
function checkDraft(context: Pick<PrepareContext, 'authority' | 'runtime'>, body: RuleDraft): void {
  const { mode: _mode, policyId: _policyId, ...draft } = body
  checkPublishing(heldOf(context).orgId, draft)
  const issues = validateRule(draft, regexLimits(context.runtime.settings))
  const sets = setIssues(draft as Rule)
  if (issues.length + sets.length > 0) throw refuseRule(issues, sets)
}

/**
 * Adds a rule of the tenant with everything that belongs to it except the audit event, which the caller writes.
 * @throws Refusal 400 for an invalid rule, 409 for a name that another rule has.
 */
export async function addRule(
  context: WriteContext,
  draft: Rule,
  mode: Mode = 'enforce',
  more: Partial<Pick<RuleRow, 'forkedFromRuleId'>> = {},
): Promise<RuleRow> {
  const { tx, runtime } = context
  const orgId = tenantId(context)
  await lockRules(tx, orgId)
  const inScope = await rulesInScope(tx, heldOf(context), draft)
  const { rule, issues } = normaliseRule(
    { ...draft, id: runtime.ids.next(), orgId },
    { ...regexLimits(runtime.settings), rulesInScope: inScope },
  )
  if (rule === null) throw refuseRule(issues)
  return insertAuthored(context, rule, mode, more)
}

/** @param rule complete and valid, with its id. The caller has locked the organization's rules. */
export async function insertAuthored(
  context: WriteContext,
  rule: Rule,
  mode: Mode = 'enforce',
  more: Partial<Pick<RuleRow, 'forkedFromRuleId'>> = {},
): Promise<RuleRow> {
  const { runtime, nowMs, actor } = context
  const row: RuleRow = {
    ...authoredColumns(rule),
    id: rule.id ?? runtime.ids.next(),
    orgId: tenantId(context),
    mode,
    forkedFromRuleId: rule.forkedFromRuleId ?? null,
    ...more,
    version: 1,
    createdAtMs: nowMs,
    createdBy: actor.id,
    updatedAtMs: nowMs,
    updatedBy: actor.id,
    ...NOT_DELETED,
  }
  await insertRule(context, row)
  return row
}
