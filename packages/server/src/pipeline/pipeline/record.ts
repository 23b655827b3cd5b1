/** Pipelines as the API shows them, and as rules read them. Source: spec platform 8.1; spec compliance 18. */
import { projectEntity } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { nameWithLetter } from '../../runtime/operation/name.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { CATALOG_INPUT, CATALOG_OUTPUT, catalogOf } from '../../runtime/records/catalog.js'
import type { Rechecked } from '../../runtime/records/compliance.js'
import { SOFT_DELETE_OUTPUT, softDeleteView } from '../../runtime/records/soft-delete.js'
import { PROPS_EXAMPLE, PropsSchema } from '../props/schema.js'
import type { PipelineRow } from '../tables.js'

const Called = (description: string) => nameWithLetter(255, description)

export const ACCESS_MODIFIERS = ['public', 'private'] as const
export type AccessModifier = (typeof ACCESS_MODIFIERS)[number]
export const AccessModifierField = Type.Unsafe<AccessModifier>({
  type: 'string',
  enum: [...ACCESS_MODIFIERS],
  description: '`public`: teams of the organization can see it; from the system organization, everybody can',
})

export const Keywords = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 })
export const Description = Type.String({ maxLength: 2000 })

/** Fields that an update may change. */
const changeable = {
  pipelineName: Type.Optional(Called('`<organization>-<project>-pipeline` unless said')),
  description: Type.Optional(Description),
  keywords: Type.Optional(Keywords),
  accessModifier: Type.Optional(AccessModifierField),
  isActive: Type.Optional(Type.Boolean({ description: 'An inactive pipeline is not in lists by default' })),
  ...CATALOG_INPUT,
}

export const CreateBody = strictObject(
  {
    project: Called('Its project'),
    organization: Called('Its organization'),
    ...changeable,
    templateId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The template that it was created from' }),
    ),
    templateVersion: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    props: PropsSchema,
  },
  {
    examples: [
      {
        project: 'web',
        organization: 'acme',
        description: 'Builds and deploys the web application',
        labels: { team: 'web' },
        props: PROPS_EXAMPLE,
      },
    ],
  },
)
export type CreateBody = Static<typeof CreateBody>

export const UpdateBody = strictObject({
  ...changeable,
  isDefault: Type.Optional(
    Type.Boolean({ description: 'Whether it is the default of its project; there is one default' }),
  ),
  props: Type.Optional(PropsSchema),
})
export type UpdateBody = Static<typeof UpdateBody>

const Origin = strictObject({ templateId: Type.String(), templateVersion: nullable(Type.Integer()) })

const fields = {
  id: Uuid,
  orgId: Uuid,
  project: Type.String(),
  organization: Type.String(),
  pipelineName: Type.String(),
  description: Type.String(),
  keywords: Type.Array(Type.String()),
  accessModifier: Type.Unsafe<string>({ type: 'string', enum: [...ACCESS_MODIFIERS] }),
  isDefault: Type.Boolean(),
  isActive: Type.Boolean(),
  ...CATALOG_OUTPUT,
  origin: nullable(Origin),
  revision: Type.Integer({ minimum: 1 }),
  createdAt: Instant,
  createdBy: Type.String(),
  updatedAt: Instant,
  updatedBy: Type.String(),
  ...SOFT_DELETE_OUTPUT,
}

export const PipelineSchema = strictObject({ ...fields, props: PropsSchema })
export type PipelineRecord = Static<typeof PipelineSchema>

export const PipelineDetail = strictObject({
  ...fields,
  props: PropsSchema,
  lastDeployedAt: nullable(Instant),
  complianceStatus: nullable(
    strictObject({
      result: Type.Unsafe<string>({
        type: 'string',
        enum: ['passed', 'warned', 'blocked'],
        description: 'Of the last check: at its last change, or at a re-check after the rules changed',
      }),
      checkedAt: Instant,
    }),
  ),
})

/** In a list: without `props`, or with the requested fields only. */
export const PipelineItem = Type.Object(
  Object.fromEntries(
    Object.entries({ ...fields, props: PropsSchema }).map(([name, schema]) => [
      name,
      name === 'id' ? schema : Type.Optional(schema),
    ]),
  ),
  { additionalProperties: false },
) as unknown as Type.TUnsafe<Partial<PipelineRecord> & { id: string }>

/** Fields that the server sets; an update may send them back unchanged. */
export const SERVER_OWNED = [
  'id',
  'orgId',
  'project',
  'organization',
  'origin',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'purgeAfter',
  'lastDeployedAt',
  'complianceStatus',
] as const

/** Every field except `props`, which lists leave out. */
export const pipelineItem = (row: Omit<PipelineRow, 'props'>): Omit<PipelineRecord, 'props'> => ({
  id: row.id,
  orgId: row.orgId,
  project: row.project,
  organization: row.organization,
  pipelineName: row.pipelineName,
  description: row.description,
  keywords: [...row.keywords],
  accessModifier: row.accessModifier,
  isDefault: row.defaultKey !== null,
  isActive: row.isActive,
  ...(catalogOf(row) as Pick<PipelineRecord, keyof typeof CATALOG_OUTPUT>),
  origin: row.templateId === null ? null : { templateId: row.templateId, templateVersion: row.templateVersion },
  revision: row.revision,
  createdAt: toIso(row.createdAtMs),
  createdBy: row.createdBy,
  updatedAt: toIso(row.updatedAtMs),
  updatedBy: row.updatedBy,
  ...softDeleteView(row),
})

export const pipelineRecord = (row: PipelineRow): PipelineRecord => ({ ...pipelineItem(row), props: row.props })

/** @param rechecked the result of the last re-check, if there was one: it may be later than the last change. */
export const pipelineDetail = (
  row: PipelineRow,
  lastDeployedMs: number | null,
  rechecked: Rechecked | null,
): Static<typeof PipelineDetail> => ({
  ...pipelineRecord(row),
  lastDeployedAt: toIsoOrNull(lastDeployedMs),
  complianceStatus: statusOf(row, rechecked),
})

function statusOf(row: PipelineRow, rechecked: Rechecked | null) {
  const { complianceResult: result, complianceCheckedAtMs: atMs } = row
  if (rechecked !== null && (atMs === null || rechecked.checkedAtMs >= atMs)) {
    return { result: RESULTS[rechecked.result], checkedAt: toIso(rechecked.checkedAtMs) }
  }
  return result === null || atMs === null ? null : { result, checkedAt: toIso(atMs) }
}

const RESULTS = { pass: 'passed', warn: 'warned', block: 'blocked' } as const

/** The attributes that rules read. */
export const pipelineAttributes = (row: PipelineRow): Readonly<Record<string, unknown>> =>
  projectEntity('pipeline', pipelineRecord(row) as never) as Readonly<Record<string, unknown>>
