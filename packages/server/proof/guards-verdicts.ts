/**
 * Bugs of the way from a request to a verdict: each is planted in a copy, and the run over HTTP must find it. What stands
 * behind two fences (the engine looks at the entity of an exemption again) is planted past both.
 */
import { cut, drop, type Guard, guard, swap, VERDICTS, value } from './guard.js'

export const VERDICT_GUARDS: readonly Guard[] = [
  guard('a-changed-rule-set-is-loaded-again', value('found !== undefined'), VERDICTS),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
  guard('the-stamp-of-the-parent-counts', cut('${stamp(parentOrgId)}.'), VERDICTS),
  guard('a-switched-subscription-moves-the-stamp', drop, VERDICTS),
  guard('a-pinned-version-is-used', cut('bodies.get(row.id) ??'), VERDICTS),
  guard('only-own-subscriptions-count', drop, VERDICTS),
  guard('only-active-subscriptions-count', drop, VERDICTS),
  guard('the-rollout-of-a-subscription-counts', value('own.some((each) => each.rule.id === rule.id)'), VERDICTS),
  guard('policies-of-the-parent-count', cut(', parentOrgId'), VERDICTS),
  guard(
    'verdicts-know-inactive-policies',
    swap('isActive, ruleIds: [ruleId]', 'isActive: isActive || policyId !== "", ruleIds: [ruleId]'),
    VERDICTS,
  ),
  guard('deleted-policies-do-not-count', cut(", ne(t.state, 'deleted')"), VERDICTS),
  guard(
    'a-rule-that-the-parent-keeps-is-not-handed-down',
    swap(
      'await handedDown(db, { parentOrgId, target })',
      '(await ownRules(db, { orgId: parentOrgId, target })).map((row) => ({ ...row, propagateToChildren: true }))',
    ),
    VERDICTS,
  ),
  guard(
    'an-exemption-holds-for-its-entity',
    swap(
      'rows = await approved(db, { orgId, entityType: target, entityId: entityId ?? NOTHING, key: text, anyVersion })',
      "t = complianceTables(db).exemptions\n  const all = await db.select().from(t).where(and(eq(t.orgId, orgId), eq(t.entityType, target), eq(t.status, 'approved')))\n  const rows = all.map((row) => ({ ...row, entityId, entityKey: null }))\n  void [text, anyVersion]",
    ),
    VERDICTS,
  ),
  guard('an-exemption-ends-by-the-clock', drop, VERDICTS),
  guard('verdicts-know-exemptions-that-ended-with-their-rule', value('void endExemptions'), VERDICTS),
  guard('a-key-leads-to-the-stored-record', value('subject'), VERDICTS),
  guard('an-exemption-by-key-is-looked-for', drop, VERDICTS),
  guard('an-exemption-of-every-version-is-looked-for', drop, VERDICTS),
]
