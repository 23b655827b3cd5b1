/** Lines by which the past is told as it was, to those who may read it, and never guessed. */
import type { Guard } from './guard.js'

const PAST = 'src/compliance/past/past.test.ts'

export const PAST_GUARDS: readonly Guard[] = [
  {
    name: 'the past of rules: own ones',
    file: 'compliance/past/load.ts',
    find: "and(eq(t.orgId, id), eq(t.scope, 'org'))",
    replace: "eq(t.scope, 'org')",
    test: PAST,
  },
  {
    name: 'the past of subscriptions',
    file: 'compliance/past/load.ts',
    find: '    .where(and(eq(s.orgId, orgId), heldAt(s, atMs)))',
    replace: '    .where(heldAt(s, atMs))',
    test: PAST,
  },
  {
    name: 'the past of policies',
    file: 'compliance/past/load.ts',
    find: 'and(inArray(t.orgId, [...orgIds]), heldAt(t, atMs))',
    replace: 'heldAt(t, atMs)',
    test: PAST,
  },
  {
    name: 'the impact of a rule of the past: one that could be held to',
    file: 'compliance/past/load.ts',
    find: 'and(eq(t.ruleId, id), or(eq(t.orgId, orgId), isHandedDown, isPublished), heldAt(t, atMs))',
    replace: 'and(eq(t.ruleId, id), heldAt(t, atMs))',
    test: PAST,
  },
  {
    name: 'nothing is told before the beginning',
    file: 'compliance/past/start.ts',
    find: '  if (atMs >= startMs) return\n',
    replace: '  if (startMs > 0) return\n',
    test: PAST,
  },
  {
    name: 'nothing is told from before a purge',
    file: 'compliance/past/start.ts',
    find: 'Math.max(org.createdAtMs, ...moved.map(({ fromMs }) => fromMs))',
    replace: 'Math.max(org.createdAtMs, ...moved.map(() => 0))',
    test: PAST,
  },
  {
    name: 'nothing is told from before a purge of the parent',
    file: 'compliance/past/start.ts',
    find: 'inArray(t.orgId, [orgId, parentOrgId])',
    replace: 'eq(t.orgId, orgId)',
    test: PAST,
  },
  {
    name: 'a purge of a published rule moves the past of its subscribers',
    file: 'compliance/past/forget.ts',
    find: 'await movePastStarts(tx, [...own, ...subscribers])',
    replace: 'await movePastStarts(tx, own)',
    test: PAST,
  },
  {
    name: 'a purge of a policy moves the past',
    file: 'compliance/past/forget.ts',
    find: '  if (endMs !== null) await movePastStarts(tx, [{ orgId, fromMs: endMs }])\n',
    replace: '',
    test: PAST,
  },
  {
    name: 'the future is not told',
    file: 'compliance/past/as-of.ts',
    find: 'if (atMs > nowMs)',
    replace: 'if (atMs > nowMs * 2)',
    test: PAST,
  },
  {
    name: 'the past needs the right to read it',
    file: 'compliance/past/as-of.ts',
    find: "if (!authority.permissions.has('compliance:read'))",
    replace: 'if (authority.permissions === null)',
    test: PAST,
  },
  {
    name: 'the interval of a subscription ends with it',
    file: 'compliance/past/record.ts',
    find: '  if (before?.isActive === true) {',
    replace: '  if (before === after) {',
    test: PAST,
  },
  {
    name: 'of overlapping intervals the later change counts',
    file: 'compliance/past/interval.ts',
    find: 'if (known === undefined || end(known) < end(row))',
    replace: 'if (known === undefined)',
    test: PAST,
  },
  {
    name: 'a version of the past is one of then',
    file: 'compliance/past/interval.ts',
    find: 'and(lte(t.validFromMs, atMs), or(',
    replace: 'and(or(',
    test: PAST,
  },
]
