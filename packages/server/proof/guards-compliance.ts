/**
 * Lines that keep rules and verdicts what they are: whose rules count, who may write them, and that no verdict goes unrecorded.
 * Each was taken out in a copy, and its test failed there.
 */
import type { Guard } from './guards.js'

const RULES = 'src/compliance/rule/rule.test.ts'
const CHECKS = 'src/compliance/check/check.test.ts'
const RECHECKS = 'src/compliance/recheck/recheck.test.ts'
const PORT = 'src/compliance/port/port.test.ts'

const ENTITLEMENTS = 'src/compliance/entitlement/sync.test.ts'
const EXEMPTIONS = 'src/compliance/exemption/exemption.test.ts'
const POLICIES = 'src/compliance/policy/policy.test.ts'
const SUBSCRIPTIONS = 'src/compliance/subscription/subscription.test.ts'

export const COMPLIANCE_GUARDS: readonly Guard[] = [
  {
    name: 'a rule to be changed is an own one',
    file: 'compliance/rule/find.ts',
    find: '    .where(and(eq(t.id, id), eq(t.orgId, orgId), isNull(t.deletedAtMs)))',
    replace: '    .where(and(eq(t.id, id), isNull(t.deletedAtMs)))',
    test: RULES,
  },
  {
    name: 'a team reads what its parent hands down, not the rest',
    file: 'compliance/rule/find.ts',
    find: 'eq(t.propagateToChildren, true), eq(t.isTemplate, false)',
    replace: 'eq(t.isTemplate, false)',
    test: RULES,
  },
  {
    name: 'the history of an own rule',
    file: 'compliance/rule/history.ts',
    find: 'and(eq(rules.id, path.id), eq(rules.orgId, orgId))',
    replace: 'eq(rules.id, path.id)',
    test: RULES,
  },
  {
    name: 'the list of own rules',
    file: 'compliance/rule/list.ts',
    find: 'and(eq(t.orgId, orgId), wanted.scope === undefined',
    replace: 'and(undefined, wanted.scope === undefined',
    test: RULES,
  },
  {
    name: 'only the system organization publishes',
    file: 'compliance/rule/publish.ts',
    find: '  if (orgId === SYSTEM_ORG_ID) return\n',
    replace: '  if (orgId !== "") return\n',
    test: RULES,
  },
  {
    name: 'leaving `enforce` needs a reason',
    file: 'compliance/rule/update.ts',
    find: "row.mode === 'enforce' && mode !== 'enforce' && reason === undefined",
    replace: 'false',
    test: RULES,
  },
  {
    name: 'a rule that others depend on stays',
    file: 'compliance/rule/delete.ts',
    find: '    if (dependents.length > 0) {',
    replace: '    if (dependents.length > 1000) {',
    test: RULES,
  },
  {
    name: 'a team is held to what its parent hands down',
    file: 'compliance/rule-set/load.ts',
    find: 'parentOrgId === null ? [] : await handedDown(db, parentOrgId, target)',
    replace: '[] as typeof own',
    test: CHECKS,
  },
  {
    name: 'a rule set is compared with the stamps before its use',
    file: 'compliance/rule-set/cache.ts',
    find: 'found !== undefined && found.stamps === stamps',
    replace: 'found !== undefined',
    test: CHECKS,
  },
  {
    name: 'a change of rules counts the stamp up',
    file: 'compliance/rule/write.ts',
    find: '  await stampRules(tx, row.orgId)\n',
    replace: '',
    test: CHECKS,
  },
  {
    name: 'the limits of attributes, live',
    file: 'compliance/check/validate.ts',
    find: '      if (excess !== null) throw refuseAttributes(excess)\n      const subject',
    replace: '      const subject',
    test: CHECKS,
  },
  {
    name: 'a live check has its entry',
    file: 'compliance/check/validate.ts',
    find: '      await recordCheck(tx, row)\n',
    replace: '',
    test: CHECKS,
  },
  {
    name: 'the log of the own organization',
    file: 'compliance/check/list.ts',
    find: '      eq(t.orgId, tenantId(context)),\n',
    replace: '',
    test: CHECKS,
  },
  {
    name: 'an event works under the organization of its job',
    file: 'compliance/recheck/job.ts',
    find: '    if (job.orgId !== event.orgId) throw',
    replace: '    if (job.orgId === "") throw',
    test: RECHECKS,
  },
  {
    name: 'an older event after a newer one',
    file: 'compliance/recheck/recheck.ts',
    find: ' || last.eventAtMs > event.timestampMs) return false',
    replace: ') return false',
    test: RECHECKS,
  },
  {
    name: 'a check in this process has its entry',
    file: 'compliance/port/in-process.ts',
    find: "      await scope.write((tx) => recordCheck(tx, row), 'compliance.check')\n",
    replace: '      void [row, recordCheck]\n',
    test: PORT,
  },
  {
    name: 'the form of a verdict from elsewhere',
    file: 'compliance/port/http.ts',
    find: '    if (found.length > 0) throw new Error(`the compliance service answered no verdict',
    replace: '    if (found.length > 1000) throw new Error(`the compliance service answered no verdict',
    test: PORT,
  },
  {
    name: 'a verdict from elsewhere agrees with itself',
    file: 'compliance/port/http.ts',
    find: 'if (verdict.blocked !== blocks || verdict.passed !== (verdict.violations.length === 0)) {',
    replace: 'if (blocks === undefined) {',
    test: PORT,
  },
  {
    name: 'a process without a way to a verdict does not start',
    file: 'compliance/port/choose.ts',
    find: '    if (guarded.length === 0) return undefined\n',
    replace: '    if (guarded.length < 1000) return undefined\n',
    test: PORT,
  },
  {
    name: 'a set needs the feature of the plan',
    file: 'compliance/subscription/gate.ts',
    find: '  if (feature === null || authority.isSuperAdmin',
    replace: '  if (feature !== undefined || authority.isSuperAdmin',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a set is switched on with its feature, many at once',
    file: 'compliance/subscription/activate.ts',
    find: '    if (isActive) for (const rule of rules.values()) checkFeature(context, rule)\n',
    replace: '',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'an inactive subscription holds nobody',
    file: 'compliance/rule-set/load.ts',
    find: '        eq(s.isActive, true),\n',
    replace: '',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'the subscriptions of the own organization',
    file: 'compliance/rule-set/load.ts',
    find: '        eq(s.orgId, orgId),\n',
    replace: '',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a subscription is to a published rule',
    file: 'compliance/subscription/gate.ts',
    find: "and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), isNull",
    replace: 'and(isNull',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a pinned version is what is enforced',
    file: 'compliance/rule-set/load.ts',
    find: '      pinned: bodies.get(rule.id) ?? null,\n',
    replace: '',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'nobody decides about an exemption of their own',
    file: 'compliance/exemption/review.ts',
    find: 'row.createdBy === null || row.createdBy === actor.id || row.createdBy === actor.impersonatorId',
    replace: 'row.createdBy === null',
    test: EXEMPTIONS,
  },
  {
    name: 'what a parent hands down the parent waives',
    file: 'compliance/exemption/review.ts',
    find: '    if (row.reviewOrgId !== orgId) {',
    replace: '    if (row.reviewOrgId === "") {',
    test: EXEMPTIONS,
  },
  {
    name: 'an exemption of another organization',
    file: 'compliance/exemption/review.ts',
    find: 'and(eq(t.id, id), or(eq(t.orgId, orgId), eq(t.reviewOrgId, orgId)))',
    replace: 'eq(t.id, id)',
    test: EXEMPTIONS,
  },
  {
    name: 'only who decides revokes',
    file: 'compliance/exemption/review.ts',
    find: '    if (!withdraws && !decides) {',
    replace: '    if (withdraws === null) {',
    test: EXEMPTIONS,
  },
  {
    name: 'an exemption ends by the clock before it is decided',
    file: 'compliance/exemption/in-force.ts',
    find: '    expiresAt: toIsoOrNull(row.expiresAtMs),\n',
    replace: '',
    test: EXEMPTIONS,
  },
  {
    name: 'an exemption ends with its rule',
    file: 'compliance/rule/delete.ts',
    find: '    await endExemptions(context, row.id)\n',
    replace: '    void endExemptions\n',
    test: EXEMPTIONS,
  },
  {
    name: 'an inactive policy holds its rules back',
    file: 'compliance/rule-set/load.ts',
    find: 'isActive, ruleIds: [ruleId]',
    replace: 'isActive: true, ruleIds: isActive ? [ruleId] : [ruleId]',
    test: POLICIES,
  },
  {
    name: 'a policy lists rules of its own organization',
    file: 'compliance/policy/write.ts',
    find: 'and(eq(t.orgId, orgId), isNull(t.deletedAtMs), or(',
    replace: 'and(isNull(t.deletedAtMs), or(',
    test: POLICIES,
  },
  {
    name: 'only templates are copied',
    file: 'compliance/policy/clone.ts',
    find: "    if (!template.isTemplate) throw notFound('Policy')\n",
    replace: '',
    test: POLICIES,
  },
  {
    name: 'a push that is not newer is skipped',
    file: 'compliance/entitlement/sync.ts',
    find: 'occurredMs <= held.watermarkMs',
    replace: 'occurredMs < 0',
    test: ENTITLEMENTS,
  },
  {
    name: 'a push leaves off what somebody switched off',
    file: 'compliance/entitlement/sync.ts',
    find: '  if (row.optedOut && wasEntitled) return null\n',
    replace: '',
    test: ENTITLEMENTS,
  },
]
