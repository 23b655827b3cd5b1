/**
 * `GET /compliance/exemptions`: the organization's own exemptions, or with `team` those of a team that it decides
 * about.
 */
import { entityKeyText } from '@plumbline/engine'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { DAY_MS } from '../../runtime/clock.js'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Target } from '../rule/schema.js'
import { complianceTables } from '../tables.js'
import { waitsFor } from './decider.js'
import { ExemptionRecord, ExemptionStates, isInState } from './record.js'
import { shownExemptions } from './shown.js'

const KeyPart = (part: string, other: string) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: `The ${part} of an \`entityKey\`; together with \`${other}\``,
  })

const Filters = Type.Object({
  ruleId: Type.Optional(Uuid),
  entityType: Type.Optional(Target),
  entityId: Type.Optional(Uuid),
  project: Type.Optional(KeyPart('project', 'organization')),
  organization: Type.Optional(KeyPart('organization', 'project')),
  pluginName: Type.Optional(KeyPart('name', 'pluginVersion')),
  pluginVersion: Type.Optional(KeyPart('version', 'pluginName')),
  status: Type.Optional(ExemptionStates),
  createdBy: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  team: Type.Optional(Uuid),
  waitsFor: Type.Optional(
    Type.Enum(['me'], { description: 'Only those that you may decide about, of the organization and of its teams' }),
  ),
  endsWithinDays: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 366, description: 'Only approved ones that end within so many days' }),
  ),
})
const list = listOf({
  key: 'exemptions',
  item: ExemptionRecord,
  sortBy: ['createdAt', 'updatedAt'],
  filters: Filters.properties,
})

/** The sum keeps the index of all ends out of it: it would find the exemptions of every organization. */
const endsUntil = (t: ReturnType<typeof complianceTables>['exemptions'], atMs: number): SQL =>
  sql`${t.expiresAtMs} + 0 <= ${atMs}`

/** @throws Refusal 400 when only one part of a key is given. */
function keyAsked({ project, organization, pluginName, pluginVersion }: Static<typeof Filters>): string | undefined {
  const whole = (a: string | undefined, b: string | undefined, path: string) => {
    if ((a === undefined) === (b === undefined)) return
    throw invalidField(path, 'needs the other part of the key', 'required')
  }
  whole(project, organization, project === undefined ? '/query/project' : '/query/organization')
  whole(pluginName, pluginVersion, pluginName === undefined ? '/query/pluginName' : '/query/pluginVersion')
  if (project !== undefined && organization !== undefined) return entityKeyText({ project, organization })
  if (pluginName === undefined || pluginVersion === undefined) return undefined
  return entityKeyText({ name: pluginName, version: pluginVersion })
}

export const listExemptions = query({
  name: 'compliance.exemption.list',
  summary: 'List exemptions',
  description: '`team` lists exemptions of a team from rules that it inherits from this organization.',
  http: { method: 'get', path: '/compliance/exemptions' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, nowMs, ...context }, { query: asked }) {
    const wanted: Static<typeof Filters> & PageQuery = asked
    const orgId = tenantId({ ...context, nowMs })
    const { exemptions: t } = complianceTables(db)
    const { team, endsWithinDays: days } = wanted
    const ofTeam = team === undefined ? undefined : and(eq(t.reviewOrgId, orgId), eq(t.orgId, team))
    const whose =
      wanted.waitsFor === undefined ? (ofTeam ?? eq(t.orgId, orgId)) : and(waitsFor(t, { ...context, nowMs }), ofTeam)
    const page = await list.page(db, {
      table: t,
      where: and(
        whose,
        equals(t.ruleId, wanted.ruleId),
        equals(t.entityType, wanted.entityType),
        equals(t.entityId, wanted.entityId),
        equals(t.entityKeyText, keyAsked(wanted)),
        equals(t.createdBy, wanted.createdBy),
        wanted.status === undefined ? undefined : isInState(t, wanted.status, nowMs),
        days === undefined ? undefined : and(isInState(t, 'approved', nowMs), endsUntil(t, nowMs + days * DAY_MS)),
      ),
      columns: { createdAt: t.createdAtMs, updatedAt: t.updatedAtMs },
      id: t.id,
      query: asked,
      present: (row) => row,
    })
    return { ...page, exemptions: await shownExemptions(db, { ...context, nowMs }, page.exemptions) }
  },
})
