/** Lines by which nobody waives a rule for themselves, and an exemption ends when it should. */
import type { Guard } from './guard.js'

const EXEMPTIONS = 'src/compliance/exemption/exemption.test.ts'
const EXEMPTION_STATES = 'src/compliance/exemption/exemption-model.test.ts'
const SELF_APPROVAL = 'src/compliance/exemption/self-approval.test.ts'
const ONE_VERDICT = 'src/compliance/check/one-verdict.test.ts'
const PAST = 'src/compliance/past/past.test.ts'

export const EXEMPTION_GUARDS: readonly Guard[] = [
  {
    name: 'nobody decides about an exemption of their own',
    file: 'compliance/exemption/review.ts',
    find: 'row.createdBy === null || isSamePerson(row, actor)',
    replace: 'row.createdBy === null',
    test: EXEMPTIONS,
  },
  {
    name: 'who asked while acting as somebody else does not decide',
    file: 'compliance/exemption/request.ts',
    find: 'impersonatorId: actor.impersonatorId,',
    replace: 'impersonatorId: null,',
    test: SELF_APPROVAL,
  },
  {
    name: 'who asked does not decide while acting as somebody else',
    file: 'compliance/exemption/review.ts',
    find: 'const deciding = [actor.id, actor.impersonatorId]',
    replace: 'const deciding = [actor.id]',
    test: SELF_APPROVAL,
  },
  {
    name: 'what is decided, or over by the clock, is not decided again',
    file: 'compliance/exemption/review.ts',
    find: "    if (state !== 'pending') throw new Refusal",
    replace: "    if (state === 'revoked') throw new Refusal",
    test: EXEMPTION_STATES,
  },
  {
    name: 'one open exemption for a rule and an entity',
    file: 'compliance/exemption/request.ts',
    find: '    openKey: openKey(request, entityKeyText),\n',
    replace: '    openKey: null,\n',
    test: EXEMPTION_STATES,
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
    find: '  expiresAt: toIsoOrNull(row.expiresAtMs),\n',
    replace: '',
    test: EXEMPTIONS,
  },
  {
    name: 'an exemption that was revoked waives until then',
    file: 'compliance/exemption/in-force.ts',
    find: "        or(ne(t.status, 'revoked'), gt(t.updatedAtMs, atMs)),\n",
    replace: '',
    test: PAST,
  },
  {
    name: 'an exemption names one record',
    file: 'compliance/exemption/request.ts',
    find: 'const issues = namingIssues(request, at)',
    replace: 'const issues: FieldIssue[] = namingIssues(request, at).slice(0, 0)',
    test: EXEMPTIONS,
  },
  {
    name: 'a record is found by its key and not by its name',
    file: 'compliance/exemption/in-force.ts',
    find: 'return entityId === null ? subject : { ...subject, entityId }',
    replace: 'return subject',
    test: EXEMPTIONS,
  },
  {
    name: 'an exemption by key is of its organization',
    file: 'compliance/exemption/in-force.ts',
    find: "        eq(t.orgId, value('orgId')),\n        eq(t.entityType, value('entityType')),",
    replace: "        eq(t.entityType, value('entityType')),",
    test: EXEMPTIONS,
  },
  {
    name: 'rules read what a token stands for',
    file: 'compliance/check/evaluate.ts',
    find: 'const { attributes, unresolved } = effectiveAttributes(target, written)',
    replace: 'const { attributes, unresolved } = { ...effectiveAttributes(target, written), attributes: written }',
    test: ONE_VERDICT,
  },
  {
    name: 'a verdict names the rules that read an unresolved token',
    file: 'compliance/check/evaluate.ts',
    find: '...(reads.length === 0 ? {} : { unresolved: reads })',
    replace: '',
    test: ONE_VERDICT,
  },
  {
    name: 'a count of the inventory reads what a token stands for',
    file: 'compliance/preview/impact.ts',
    find: 'attributes: effectiveAttributes(target, attributes).attributes',
    replace: 'attributes',
    test: ONE_VERDICT,
  },
]
