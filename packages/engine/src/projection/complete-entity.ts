/**
 * Completes an entity as the server stores it: what an author leaves out gets a value when the record is written, and rules
 * read that value. The server, and the command line before anything is sent, both complete by this function, so that the
 * gate and the write give the same verdict.
 */
import { looseName } from '../evaluate/entity-key.js'
import type { Attributes, Target } from '../types.js'
import { isObject, isPresent, own } from '../value/own.js'
import { projectEntity } from './project-entity.js'

/** The values of a new record for the keys that its author leaves out. */
export const recordDefaults = {
  plugin: {
    category: 'unknown',
    keywords: [],
    pluginType: 'CodeBuildStep',
    computeType: 'SMALL',
    failureBehavior: 'fail',
    accessModifier: 'private',
    isDefault: false,
    commands: [],
    installCommands: [],
    env: {},
    buildArgs: {},
    secrets: [],
    metadata: {},
    requiredVars: [],
    requiredMetadata: [],
    lifecycle: 'production',
    labels: {},
    links: [],
  },
  pipeline: {
    description: '',
    keywords: [],
    accessModifier: 'private',
    lifecycle: 'production',
    labels: {},
    links: [],
  },
} as const satisfies { readonly [target in Target]: Attributes }

const CATALOG = ['ownerId', 'ownerType', 'lifecycle', 'criticality', 'labels', 'links'] as const

/** The keys whose stored value a create or an upload keeps when the author leaves them out. */
const keptOf = (target: Target): readonly string[] =>
  target === 'plugin' ? ['id', 'accessModifier', 'isDefault', ...CATALOG] : ['id', 'pipelineName', ...CATALOG]

/** The keys that get a value by who creates the record, so that only the write knows it. */
export const SET_BY_THE_WRITE = ['id', 'ownerId', 'ownerType'] as const

/** The name of a pipeline that its author gives none. */
export const pipelineNameOf = (project: string, organization: string): string =>
  `${looseName(organization)}-${looseName(project)}-pipeline`.slice(0, PIPELINE_NAME_MAX)
const PIPELINE_NAME_MAX = 255

/**
 * Returns the attributes that rules read of an entity after a create or an upload of it.
 *
 * Not completed are the keys in `SET_BY_THE_WRITE`, and those of a plugin that come from other files of its archive than the
 * specification: `buildType`, `dockerfile`, `baseImage`, `usesRootUser` and `isActive`, unless the type of the plugin
 * decides them.
 *
 * @param written What the author wrote: a record, or its attributes.
 * @param stored The attributes of the record that it replaces; null for a new one.
 */
export function completeEntity(target: Target, written: Attributes, stored: Attributes | null = null): Attributes {
  const completed: Record<string, unknown> = { ...recordDefaults[target] }
  for (const key of stored === null ? [] : keptOf(target)) {
    const value = own(stored as Attributes, key)
    if (isPresent(value)) completed[key] = value
  }
  const author = projectEntity(target, written)
  for (const [key, value] of Object.entries(author)) {
    // A key without a value, such as `env:`, counts as absent. A `criticality` of null removes the stored one.
    if (isPresent(value) || key === 'criticality') completed[key] = value
  }
  return projectEntity(target, target === 'plugin' ? completePlugin(completed) : completePipeline(completed))
}

function completePlugin(plugin: Record<string, unknown>): Attributes {
  const { secrets, pluginType } = plugin
  if (Array.isArray(secrets)) {
    plugin.secrets = secrets.map((secret) =>
      isObject(secret) ? { ...secret, required: own(secret, 'required') ?? true } : secret,
    )
  }
  if (pluginType === 'ManualApprovalStep') plugin.buildType ??= 'metadata_only'
  const { buildType } = plugin
  if (typeof buildType === 'string') plugin.isActive ??= buildType === 'metadata_only'
  if (buildType === 'metadata_only') plugin.usesRootUser ??= false
  return plugin
}

function completePipeline(pipeline: Record<string, unknown>): Attributes {
  for (const key of ['project', 'organization', 'pipelineName']) {
    const value = pipeline[key]
    if (typeof value === 'string') pipeline[key] = value.trim()
  }
  const { project, organization, props } = pipeline
  if (typeof project !== 'string' || typeof organization !== 'string') return pipeline
  pipeline.pipelineName ??= pipelineNameOf(project, organization)
  if (isObject(props)) pipeline.props = completeProps(props, project, organization)
  return pipeline
}

/** Returns the properties of a pipeline with its own project and organization where they name none. */
export const completeProps = <P extends Attributes>(props: P, project: string, organization: string): P => ({
  ...props,
  project: props.project ?? project,
  organization: props.organization ?? organization,
})
