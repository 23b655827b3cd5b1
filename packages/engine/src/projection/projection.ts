/**
 * Which keys of an entity a rule may read (spec compliance 18), as data.
 *
 * Change the version of the table when a key changes: stored results name the version they were made with.
 */
import type { Target } from '../types.js'

export interface Alias {
  readonly alias: string
  /** Keys from the root of the entity. */
  readonly from: readonly string[]
}

export interface Projection {
  readonly version: number
  readonly keys: { readonly [target in Target]: readonly string[] }
  /** Further names for values of the entity. An alias is added when its source has a value. */
  readonly aliases: { readonly [target in Target]: readonly Alias[] }
  /** Maps whose values are redacted; their keys are kept. */
  readonly redacted: readonly string[]
}

const both: readonly Alias[] = [
  { alias: 'tags', from: ['keywords'] },
  { alias: 'owner', from: ['ownerId'] },
]

export const projection: Projection = {
  version: 2,
  keys: {
    plugin: [
      'id',
      'name',
      'version',
      'description',
      'category',
      'keywords',
      'pluginType',
      'computeType',
      'timeout',
      'failureBehavior',
      'accessModifier',
      'buildType',
      'isDefault',
      'isActive',
      'commands',
      'installCommands',
      'dockerfile',
      'baseImage',
      'usesRootUser',
      'builtImage',
      'env',
      'buildArgs',
      'secrets',
      'metadata',
      'requiredVars',
      'requiredMetadata',
      'primaryOutputDirectory',
      'ownerId',
      'ownerType',
      'lifecycle',
      'criticality',
      'labels',
      'links',
    ],
    pipeline: [
      'id',
      'project',
      'organization',
      'pipelineName',
      'description',
      'keywords',
      'accessModifier',
      'props',
      'ownerId',
      'ownerType',
      'lifecycle',
      'criticality',
      'labels',
      'links',
    ],
  },
  aliases: {
    plugin: [{ alias: 'image', from: ['baseImage'] }, { alias: 'runAsRoot', from: ['usesRootUser'] }, ...both],
    pipeline: [{ alias: 'name', from: ['pipelineName'] }, { alias: 'stages', from: ['props', 'stages'] }, ...both],
  },
  redacted: ['env', 'buildArgs'],
}
