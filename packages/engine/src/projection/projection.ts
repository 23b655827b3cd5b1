/**
 * What a rule may read of an entity (spec compliance 18), as data.
 *
 * Version the table when a key changes: stored results name the version they were made with.
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
  /** Added only where the alias is absent. */
  readonly aliases: { readonly [target in Target]: readonly Alias[] }
  /** Maps whose values never leave the entity; their keys do. */
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
