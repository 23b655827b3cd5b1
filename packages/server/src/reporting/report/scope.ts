/** The scope of a report: the organizations and pipelines that the caller may see and that match the filters. */
import Type from 'typebox'
import { insufficient, invalidField, notFound, type Refusal } from '../../runtime/errors.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { requirePort } from '../../runtime/port.js'
import { deployedPipelinesPort, type KnownPipeline } from '../../runtime/records/deployed-pipelines.js'
import { withTeams } from '../account.js'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }))

export const SCOPE_QUERY = {
  pipelineId: Type.Optional(Uuid),
  environment: Type.Optional(name(1, 255, 'Of this environment only')),
  project: text('Of pipelines of this project'),
  organization: text('Of pipelines of this organization'),
  ownerId: text('Of pipelines of this owner, or `me`'),
  label: text('Of pipelines with this label: `tier=gold`'),
  includeDescendants: Type.Optional(
    Type.Boolean({ description: 'Also pipelines of the teams below; needs `reports:rollup`' }),
  ),
}

export interface ScopeQuery {
  readonly pipelineId?: string
  readonly environment?: string
  readonly project?: string
  readonly organization?: string
  readonly ownerId?: string
  readonly label?: string
  readonly includeDescendants?: boolean
}

export interface ReportScope {
  readonly orgIds: readonly string[]
  /** The pipelines that match the filters, by id, including deleted ones. */
  readonly pipelines: ReadonlyMap<string, KnownPipeline>
  /** Whether only some pipelines are requested; then facts of purged pipelines are excluded. */
  readonly isNarrowed: boolean
  readonly registered: number
}

export const covers = ({ pipelines, isNarrowed }: ReportScope, pipelineId: string): boolean =>
  !isNarrowed || pipelines.has(pipelineId)

/** Whether a pipeline can still deploy: it is neither deleted nor purged, and it is registered. */
export const canDeploy = ({ pipelines }: Pick<ReportScope, 'pipelines'>, pipelineId: string): boolean => {
  const known = pipelines.get(pipelineId)
  return known?.isRegistered === true && !known.isDeleted
}

/** The organizations that a report covers. @throws Refusal 403 for teams without `reports:rollup`. */
export async function orgIdsOf(
  context: ReadContext,
  query: Pick<ScopeQuery, 'includeDescendants'>,
): Promise<readonly string[]> {
  const { db, authority } = context
  // guard: reports-over-teams-need-their-permission
  if (query.includeDescendants === true && !authority.permissions.has('reports:rollup') && !authority.isSuperAdmin) {
    throw insufficient('permission', 'reports over teams need the permission reports:rollup', {
      required: ['reports:rollup'],
      mode: 'all',
    })
  }
  return query.includeDescendants === true && authority.org !== null
    ? withTeams(db, authority.org)
    : [tenantId(context)]
}

/**
 * @throws Refusal 400 for a label without a value, 403 for teams without `reports:rollup`, 404 for a pipeline that the
 * caller may not see.
 */
export async function scopeOf(context: ReadContext, query: ScopeQuery): Promise<ReportScope> {
  const { db, runtime, principal } = context
  const orgIds = await orgIdsOf(context, query)
  const known = await requirePort(runtime, deployedPipelinesPort).known(db, orgIds)
  const owner = query.ownerId === 'me' && principal.kind === 'user' ? principal.userId : query.ownerId
  const hasLabel = labelFilter(query.label)
  const left = known.filter(
    (each) =>
      (query.pipelineId === undefined || each.id === query.pipelineId) &&
      isSame(query.project, each.project) &&
      isSame(query.organization, each.organization) &&
      (owner === undefined || each.ownerId === owner) &&
      hasLabel(each.labels),
  )
  if (query.pipelineId !== undefined && !known.some(({ id }) => id === query.pipelineId)) throw unknownPipeline(query)
  const { pipelineId, project, organization, ownerId, label } = query
  return {
    orgIds,
    pipelines: new Map(left.map((each) => [each.id, each])),
    isNarrowed: [pipelineId, project, organization, ownerId, label].some((each) => each !== undefined),
    registered: left.filter(({ isRegistered, isDeleted }) => isRegistered && !isDeleted).length,
  }
}

const unknownPipeline = ({ includeDescendants }: ScopeQuery): Refusal =>
  notFound(
    'Pipeline',
    includeDescendants === true
      ? 'neither this organization nor a team of it has a pipeline of this id; `plumbline pipelines list` lists those of an organization'
      : 'this organization has no pipeline of this id; `plumbline pipelines list` lists its pipelines, and `includeDescendants=true` (`--teams`) adds those of its teams',
  )

function labelFilter(label: string | undefined): (labels: KnownPipeline['labels']) => boolean {
  if (label === undefined) return () => true
  const end = label.indexOf('=')
  if (end < 1) throw invalidField('/query/label', 'is written as key=value, such as `tier=gold`', 'format')
  const [key, value] = [label.slice(0, end), label.slice(end + 1)]
  return (labels) => Object.hasOwn(labels, key) && String(labels[key]) === value
}

const isSame = (wanted: string | undefined, value: string): boolean =>
  wanted === undefined || wanted.toLowerCase() === value.toLowerCase()
