/**
 * The kinds of documents that `apply` takes: the record of each kind, the fields that people set, and those that the
 * server sets.
 * Source: spec platform 8, 9, 10.
 */
import type { Target } from '@plumbline/engine'
import { isRecord } from '../../input/record.js'
import type { Session } from '../../remote/session.js'
import { pipelines } from '../pipelines.js'
import { plugins } from '../plugins.js'
import { policies } from '../policies.js'
import type { JsonObject, Resource } from '../resource.js'
import { rules } from '../rules.js'
import { templates } from '../templates.js'
import { madeArchive } from '../upload/made-archive.js'
import { completeRule, neededRules, resolveRule } from './rule-references.js'

export interface Kind {
  /** The value of `kind` in a document. */
  readonly name: string
  readonly resource: Resource
  /** Fields that a document may set, besides those of its key. */
  readonly fields: readonly string[]
  /** Fields that the server sets. They are left out of a document that was made from a record. */
  readonly serverOwned: readonly string[]
  readonly createPath: string
  /** Set if the record is created by an upload. @throws NotDoneError if the document does not describe all of it. */
  readonly archive?: typeof madeArchive
  /** Fields that the server sets after the create. They are not compared until the server has set them. */
  readonly openFields?: (record: JsonObject) => readonly string[]
  /** `updateOnly` are fields that only an update takes, `createOnly` those that only a create takes. */
  readonly updateOnly?: readonly string[]
  readonly createOnly?: readonly string[]
  /** Fields that the record does not keep, such as the reason of an update. They are sent and never compared. */
  readonly alongside?: readonly string[]
  /** Replaces in the fields what only the server knows, before they are compared. */
  readonly resolve?: (fields: JsonObject, session: Session) => Promise<JsonObject>
  /** The names of rules that must exist before this record. */
  readonly needs?: (fields: JsonObject) => readonly string[]
  /** Adds what the server fills in, so that it does not count as a difference. */
  readonly complete?: (fields: JsonObject, key: JsonObject) => JsonObject
  /** Converts a live record to the form of documents, if the two differ. */
  readonly comparable?: (record: JsonObject) => JsonObject
  /** The route that validates a draft without saving it. */
  readonly validatePath?: string
  /**
   * The server takes `dryRun` for a create and an update: it refuses what it would refuse, and saves nothing. A kind
   * with an `archive` does not need this for its upload.
   */
  readonly hasDryRun?: boolean
  /** The target of rules that check this kind. */
  readonly target: Target | null
}

const CATALOG = ['ownerId', 'ownerType', 'lifecycle', 'criticality', 'labels', 'links']
const BOOKKEEPING = [
  'id',
  'orgId',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'deletedBy',
  'purgeAfter',
]

export const kinds: readonly Kind[] = [
  {
    name: 'Rule',
    resource: rules,
    fields: [
      ...['target', 'scope', 'isTemplate', 'description', 'severity', 'priority', 'field', 'operator', 'value'],
      ...['conditions', 'conditionMode', 'tags', 'propagateToChildren', 'isActive', 'suppressNotification', 'mode'],
      ...['effectiveFrom', 'effectiveUntil', 'policyId'],
    ],
    serverOwned: [...BOOKKEEPING, 'forkedFromRuleId', 'version', 'policyIds'],
    createPath: '/compliance/rules',
    alongside: ['reason'],
    complete: completeRule,
    resolve: resolveRule,
    needs: neededRules,
    hasDryRun: true,
    target: null,
  },
  {
    name: 'Policy',
    resource: policies,
    fields: ['version', 'description', 'tags', 'isActive', 'rules', 'ruleIds'],
    serverOwned: [...BOOKKEEPING, 'isTemplate', 'isPublished', 'unlockedBy'],
    createPath: '/compliance/policies',
    createOnly: ['isTemplate'],
    complete: completePolicy,
    comparable: comparablePolicy,
    needs: ({ rules: named }) => (Array.isArray(named) ? named.filter((name) => typeof name === 'string') : []),
    hasDryRun: true,
    target: null,
  },
  {
    name: 'PipelineTemplate',
    resource: templates,
    fields: ['description', 'keywords', 'category', 'props', 'inputs', 'accessModifier', 'isActive', ...CATALOG],
    serverOwned: [...BOOKKEEPING, 'version'],
    createPath: '/pipeline-templates',
    hasDryRun: true,
    target: null,
  },
  {
    name: 'Plugin',
    resource: plugins,
    fields: [
      ...['description', 'keywords', 'category', 'metadata', 'pluginType', 'computeType', 'timeout', 'failureBehavior'],
      ...['secrets', 'primaryOutputDirectory', 'env', 'commands', 'installCommands', 'dockerfile', 'buildArgs'],
      ...['isActive', 'isDefault'],
      ...['accessModifier', ...CATALOG],
    ],
    serverOwned: [
      ...BOOKKEEPING,
      ...['imageRef', 'imageDigest', 'imageSizeBytes', 'builtImage', 'buildStatus', 'baseImage', 'usesRootUser'],
      ...['archiveBytes', 'archiveSha256'],
    ],
    createPath: '/plugins',
    createOnly: [
      ...['buildType', 'contract', 'requiredVars', 'requiredMetadata', 'varsTypes', 'metadataTypes', 'smokeTest'],
    ],
    archive: madeArchive,
    openFields: ({ buildStatus }) =>
      buildStatus === 'queued' || buildStatus === 'building' ? ['isActive', 'isDefault'] : [],
    target: 'plugin',
  },
  {
    name: 'Pipeline',
    resource: pipelines,
    fields: [
      ...['pipelineName', 'description', 'keywords', 'props', 'accessModifier', 'isActive', 'isDefault', ...CATALOG],
    ],
    serverOwned: [...BOOKKEEPING, 'origin', 'lastDeployedAt', 'complianceStatus'],
    createPath: '/pipelines',
    updateOnly: ['isDefault'],
    createOnly: ['templateId', 'templateVersion'],
    complete: completePipeline,
    validatePath: '/pipelines/validate',
    target: 'pipeline',
  },
]

/** The rules of a policy have no order. A fetched policy has the ids of its rules as well as their names. */
const memberNames = (rules: readonly unknown[]): unknown[] =>
  rules.map((rule) => (isRecord(rule) ? rule.name : rule)).sort()

function completePolicy({ rules: named, ruleIds, ...fields }: JsonObject): JsonObject {
  return {
    ...fields,
    ...(Array.isArray(named) ? { rules: memberNames(named) } : {}),
    ...(Array.isArray(ruleIds) ? { ruleIds: [...ruleIds].sort() } : {}),
  }
}

function comparablePolicy(record: JsonObject): JsonObject {
  const members = (record.rules ?? []) as readonly { readonly id: string }[]
  return { ...record, rules: memberNames(members), ruleIds: members.map(({ id }) => id).sort() }
}

/** The props of a pipeline repeat its project and organization. */
function completePipeline(fields: JsonObject, { project, organization }: JsonObject): JsonObject {
  return isRecord(fields.props) ? { ...fields, props: { project, organization, ...fields.props } } : fields
}
