/** Lines that decide whose rules count, who may write them, and what a policy does to them. */
import type { Guard } from './guard.js'

const RULES = 'src/compliance/rule/rule.test.ts'
const CHECKS = 'src/compliance/check/check.test.ts'
const EXEMPTIONS = 'src/compliance/exemption/exemption.test.ts'
const POLICIES = 'src/compliance/policy/policy.test.ts'
const SUBSCRIPTIONS = 'src/compliance/subscription/subscription.test.ts'
const RULE_SETS = 'src/compliance/rule-set/cache.test.ts'
const PROPAGATION = 'src/compliance/rule-set/propagation.test.ts'
const DIFFS = 'src/compliance/policy/diff.test.ts'

export const RULE_GUARDS: readonly Guard[] = [
  {
    name: 'a policy to be compared is a visible one',
    file: 'compliance/policy/read.ts',
    find: '    .where(and(eq(t.id, id), isVisible(t, orgId)))',
    replace: '    .where(and(eq(t.id, id), isNull(t.deletedAtMs)))',
    test: DIFFS,
  },
  {
    name: 'a diff of policies needs a permission',
    file: 'compliance/policy/diff.ts',
    find: "permission('compliance:read')",
    replace: "permission('plugins:read')",
    test: DIFFS,
  },
  {
    name: 'the rules of a set are tried with its feature',
    file: 'compliance/policy/sides.ts',
    find: 'if (row.orgId !== orgId) checkFeature({ authority }, row)',
    replace: 'if (row.orgId === "") checkFeature({ authority }, row)',
    test: DIFFS,
  },
  {
    name: 'other versions of the name are the organization’s own',
    file: 'compliance/policy/sides.ts',
    find: 'and(eq(t.orgId, orgId), eq(t.name, name), ne(t.id, id), isNull(t.deletedAtMs))',
    replace: 'and(eq(t.name, name), ne(t.id, id), isNull(t.deletedAtMs))',
    test: DIFFS,
  },
  {
    name: 'few questions of an account about the whole inventory at once',
    file: 'compliance/questions.ts',
    find: 'if (own >= OF_ACCOUNT_MAX) {',
    replace: 'if (own >= 1000) {',
    test: DIFFS,
  },
  {
    name: 'few questions of a process about whole inventories at once',
    file: 'compliance/questions.ts',
    find: 'if (all >= OF_PROCESS_MAX) {',
    replace: 'if (all >= 1000) {',
    test: DIFFS,
  },
  {
    name: 'the teams of an account ask in its place',
    file: 'compliance/inventory.ts',
    find: 'questions.ask(org.rootOrgId, answer)',
    replace: 'questions.ask(org.id, answer)',
    test: DIFFS,
  },
  {
    name: 'a question that nobody waits for ends',
    file: 'runtime/operation/execute.ts',
    find: 'signal: sent?.signal ?? NEVER',
    replace: 'signal: NEVER',
    test: DIFFS,
  },
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
    find: 'and(eq(t.orgId, orgId), equals(t.scope',
    replace: 'and(undefined, equals(t.scope',
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
    find: 'parentOrgId === null ? [] : await handedDown(db, { parentOrgId, target })',
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
    name: 'an inactive subscription holds nobody',
    file: 'compliance/rule-set/load.ts',
    find: '        eq(s.isActive, true),\n',
    replace: '',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'the subscriptions of the own organization',
    file: 'compliance/rule-set/load.ts',
    find: "        eq(s.orgId, value('orgId')),\n",
    replace: '',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a pinned version is what is enforced',
    file: 'compliance/rule-set/load.ts',
    find: 'pinned: bodies.get(row.id) ?? null',
    replace: 'pinned: null',
    test: SUBSCRIPTIONS,
  },
  {
    name: 'a rule that is handed down looks at what is handed down',
    file: 'compliance/rule-set/references.ts',
    find: "rule.source === 'inherited' ? handedDown : all",
    replace: 'handedDown.has(rule.name) ? handedDown : all',
    test: PROPAGATION,
  },
  {
    name: 'of first checks at once one reads the rules',
    file: 'compliance/rule-set/cache.ts',
    find: '      if (running !== undefined) return running\n',
    replace: '',
    test: RULE_SETS,
  },
  {
    name: 'a rule set of two moments is read again',
    file: 'compliance/rule-set/cache.ts',
    find: '      if (after === before) {',
    replace: "      if (after !== '') {",
    test: RULE_SETS,
  },
  {
    name: 'the time to live of a rule set',
    file: 'compliance/rule-set/cache.ts',
    find: 'if (ageMs >= 0 && ageMs < ttlMs) return found',
    replace: 'if (ageMs > -ttlMs) return found',
    test: RULE_SETS,
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
    file: 'compliance/rule-set/assemble.ts',
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
    name: 'a rule is taken out of the policies of its own organization',
    file: 'compliance/policy/link.ts',
    find: '    await stampRules(tx, orgId)\n  }\n  return gone.length > 0',
    replace: '  }\n  return gone.length > 1000',
    test: POLICIES,
  },
]
