/** One finding, with what a person who opens it reads beside it: its rule's tags, its policies, the last checks. */
import { and, eq, inArray } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { CheckActions, CheckResults, checksWanted } from '../check/filters.js'
import { walkChecks } from '../check/walk.js'
import { heldOf } from '../held.js'
import { isVisible as isVisiblePolicy } from '../policy/visible.js'
import { isVisible as isVisibleRule } from '../rule/find.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables, type FindingRow } from '../tables.js'
import { FindingRecord, findingRecord, type StatedFinding, stateOf } from './state.js'

const CHECKS_SHOWN = 5
const LatestCheck = strictObject({ id: Uuid, result: CheckResults, action: CheckActions, createdAt: Instant })
const latest = listOf({ key: 'latest', item: LatestCheck, sortBy: ['createdAt'] })

export const getFinding = query({
  name: 'compliance.finding.get',
  summary: 'Show a finding, with the tags of its rule, its policies and its last checks',
  http: { method: 'get', path: '/compliance/findings/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({
    finding: FindingRecord,
    tags: Type.Array(Type.String(), {
      description: 'Of its rule. Empty when the rule is deleted, or you may not read it any more',
    }),
    policies: Type.Array(strictObject({ id: Uuid, name: Type.String() }), {
      description: 'Those of `policyIds` that you may read',
    }),
    checks: strictObject(
      { total: Type.Integer({ minimum: 0 }), latest: Type.Array(LatestCheck) },
      { description: `The checks of the record that name the rule. \`latest\` has the last ${CHECKS_SHOWN}` },
    ),
  }),
  errors: ['NOT_FOUND'],
  async run({ db, nowMs, ...context }, { path }) {
    const held = heldOf(context)
    const { findings: t } = complianceTables(db)
    const { state, exemptionId } = await stateOf(db, { ...held, nowMs })
    const [found] = await db
      .select({ row: t, state, exemptionId })
      .from(t)
      .where(
        and(
          // guard: a-finding-of-the-own-organization
          eq(t.orgId, held.orgId),
          eq(t.id, path.id),
        ),
      )
    if (found === undefined) throw notFound('Finding')
    const finding = findingRecord(found as StatedFinding)
    return {
      finding,
      tags: await tagsOf(db, held, finding.ruleId),
      policies: await policiesOf(db, held, finding.policyIds),
      checks: await checksOf(db, found.row),
    }
  },
})

async function tagsOf(db: Db, held: Held, ruleId: string): Promise<string[]> {
  const { rules: t } = complianceTables(db)
  // guard: who-loses-a-rule-loses-its-tags
  const [rule] = await db
    .select({ tags: t.tags })
    .from(t)
    .where(and(eq(t.id, ruleId), isVisibleRule(t, held)))
  return [...(rule?.tags ?? [])]
}

async function policiesOf(db: Db, { orgId }: Held, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { policies: t } = complianceTables(db)
  // guard: who-loses-a-policy-loses-its-name
  return db
    .select({ id: t.id, name: t.name })
    .from(t)
    .where(and(inArray(t.id, [...ids]), isVisiblePolicy(t, orgId)))
    .orderBy(t.nameKey, t.id)
}

async function checksOf(db: Db, { orgId, entityId, ruleId }: FindingRow) {
  const { checks: t } = complianceTables(db)
  const page = await latest.rows(
    walkChecks(db, {
      // guard: the-checks-of-a-finding-are-of-its-organization
      within: and(eq(t.orgId, orgId), checksWanted({ entityId })(db)),
      filter: checksWanted({ ruleId })(db),
      query: { limit: CHECKS_SHOWN },
      present: ({ id, result, action, createdAtMs }) =>
        ({ id, result, action, createdAt: toIso(createdAtMs) }) as Static<typeof LatestCheck>,
    }),
  )
  return { total: page.pagination.total, latest: page.latest }
}
