/**
 * The kinds of documents that `apply` takes: which record each stands for, which fields people set, which the server does.
 * Source: platform decisions 8, 9, 10.
 */
import type { Target } from '@plumbline/engine'
import { pipelines } from '../pipelines.js'
import { plugins } from '../plugins.js'
import type { Resource } from '../resource.js'
import { templates } from '../templates.js'

export interface Kind {
  /** What a document says in `kind`. */
  readonly name: string
  readonly resource: Resource
  /** Fields that a document may set, besides those of its key. */
  readonly fields: readonly string[]
  /** Fields of a record that the server sets: left out of a document that was made from a record. */
  readonly serverOwned: readonly string[]
  /** How it comes to be; null where it is uploaded. */
  readonly createPath: string | null
  /** Fields that only an update takes. */
  readonly updateOnly?: readonly string[]
  /** Where a draft is checked without being saved. */
  readonly validatePath?: string
  /** What rules call it. */
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
    name: 'PipelineTemplate',
    resource: templates,
    fields: ['description', 'keywords', 'category', 'props', 'inputs', 'accessModifier', 'isActive', ...CATALOG],
    serverOwned: [...BOOKKEEPING, 'version'],
    createPath: '/pipeline-templates',
    target: null,
  },
  {
    name: 'Plugin',
    resource: plugins,
    fields: [
      ...['description', 'keywords', 'category', 'metadata', 'pluginType', 'computeType', 'timeout', 'failureBehavior'],
      ...['secrets', 'primaryOutputDirectory', 'env', 'commands', 'installCommands', 'isActive', 'isDefault'],
      ...['accessModifier', ...CATALOG],
    ],
    serverOwned: [
      ...BOOKKEEPING,
      ...['buildArgs', 'dockerfile', 'buildType', 'contract', 'smokeTest', 'imageRef', 'imageDigest'],
      ...['imageSizeBytes', 'buildStatus'],
    ],
    createPath: null,
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
    validatePath: '/pipelines/validate',
    target: 'pipeline',
  },
]
