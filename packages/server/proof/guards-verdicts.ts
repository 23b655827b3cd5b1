/**
 * Bugs of the way from a request to a verdict: each is planted in a copy, and the run over HTTP must find it. What stands
 * behind two fences (the engine looks at the entity of an exemption again) is planted past both.
 */
import { type Guard, VERDICTS } from './guard.js'

const bug = (name: string, file: string, find: string, replace: string): Guard => ({
  ...{ name: `verdicts: ${name}`, file: `compliance/${file}.ts`, find, replace },
  test: VERDICTS,
})

export const VERDICT_GUARDS: readonly Guard[] = [
  bug(
    'a rule set is used after it changed',
    'rule-set/cache',
    'found !== undefined && found.stamps === stamps',
    'found !== undefined',
  ),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
  bug('the stamp of the parent is not looked at', 'rule-set/stamp', '${stamp(parentOrgId)}.', ''),
  bug(
    'a switched subscription leaves the stamp',
    'subscription/write',
    '  if (row.isActive || next.isActive) await stampRules(tx, row.orgId)\n',
    '',
  ),
  bug('a pin is ignored', 'rule-set/load', 'pinned: bodies.get(row.id) ?? null', 'pinned: null'),
  bug('subscriptions of others count', 'rule-set/load', "        eq(s.orgId, value('orgId')),\n", ''),
  bug('inactive subscriptions count', 'rule-set/load', '        eq(s.isActive, true),\n', ''),
  bug(
    'the rollout of a subscription is ignored',
    'rule-set/assemble',
    "if (mode !== 'enforce') modes",
    'if (own.some((each) => each.rule.id === rule.id)) modes',
  ),
  bug(
    'policies of the parent are ignored',
    'rule-set/load',
    'memberships(db, orgId, parentOrgId)',
    'memberships(db, orgId)',
  ),
  bug(
    'inactive policies hold nothing back',
    'rule-set/assemble',
    'isActive, ruleIds: [ruleId]',
    'isActive: isActive || policyId !== "", ruleIds: [ruleId]',
  ),
  bug(
    'deleted policies count',
    'policy/record',
    ", ne(t.state, 'deleted')))\n    .orderBy(asc(t.policyId))",
    '))\n    .orderBy(asc(t.policyId))',
  ),
  bug(
    'a rule is handed down that the parent keeps',
    'rule-set/load',
    'await handedDown(db, { parentOrgId, target })',
    '(await ownRules(db, { orgId: parentOrgId, target })).map((row) => ({ ...row, propagateToChildren: true }))',
  ),
  bug(
    'an exemption holds for other entities',
    'exemption/in-force',
    `  const rows = await approved(db, { orgId, entityType: target, entityId: entityId ?? NOTHING, key: text, anyVersion })
`,
    `  const t = complianceTables(db).exemptions
  const all = await db.select().from(t).where(and(eq(t.orgId, orgId), eq(t.entityType, target), eq(t.status, 'approved')))
  const rows = all.map((row) => ({ ...row, entityId, entityKey: null }))
  void [text, anyVersion]
`,
  ),
  bug(
    'an exemption does not end by the clock',
    'exemption/in-force',
    '  expiresAt: toIsoOrNull(row.expiresAtMs),\n',
    '',
  ),
  bug(
    'an exemption outlives its rule',
    'rule/delete',
    '    await endExemptions(context, row.id)\n',
    '    void endExemptions\n',
  ),
  bug(
    'a key does not lead to the stored record',
    'exemption/in-force',
    'return entityId === null ? subject : { ...subject, entityId }',
    'return subject',
  ),
  bug(
    'an exemption by key is not looked for',
    'exemption/in-force',
    "          eq(t.entityKeyText, value('key')),\n",
    '',
  ),
  bug(
    'an exemption of every version is not looked for',
    'exemption/in-force',
    "          eq(t.entityKeyText, value('anyVersion')),\n",
    '',
  ),
]
