/** A plugin as answers show it. Source: platform decisions 10.1. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { CATALOG_OUTPUT, catalogOf } from '../../runtime/records/catalog.js'
import { TOMBSTONE_OUTPUT, tombstoneView } from '../../runtime/records/tombstone.js'
import {
  BUILD_TYPES,
  COMPUTE_TYPES,
  FAILURE_BEHAVIORS,
  oneOf,
  PLUGIN_TYPES,
  SecretDeclaration,
} from '../manifest/schema.js'
import type { PluginRow } from '../tables.js'

export const ACCESS_MODIFIERS = ['public', 'private'] as const
export const BUILD_STATUSES = ['none', 'queued', 'building', 'ready', 'failed'] as const

const texts = Type.Array(Type.String())
const textMap = Type.Record(Type.String(), Type.String())

export const PluginRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  version: Type.String(),
  description: nullable(Type.String()),
  keywords: texts,
  category: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  pluginType: oneOf<string>(PLUGIN_TYPES),
  computeType: oneOf<string>(COMPUTE_TYPES),
  timeout: nullable(Type.Integer({ description: 'Minutes' })),
  failureBehavior: oneOf<string>(FAILURE_BEHAVIORS),
  secrets: Type.Array(SecretDeclaration, { description: 'What a build is given; never a value' }),
  primaryOutputDirectory: nullable(Type.String()),
  env: textMap,
  buildArgs: textMap,
  installCommands: texts,
  commands: texts,
  dockerfile: nullable(Type.String()),
  baseImage: nullable(Type.String({ description: 'The image that the last stage of the Dockerfile begins from' })),
  usesRootUser: nullable(Type.Boolean({ description: 'Null where the making of the image is not known' })),
  buildType: oneOf<string>(BUILD_TYPES),
  contract: strictObject(
    { requiredMetadata: texts, requiredVars: texts, metadataTypes: textMap, varsTypes: textMap },
    { description: 'What it needs of a pipeline' },
  ),
  smokeTest: nullable(Type.String()),
  imageRef: nullable(Type.String()),
  imageDigest: nullable(Type.String()),
  imageSizeBytes: nullable(Type.Integer()),
  buildStatus: oneOf<string>(BUILD_STATUSES),
  accessModifier: oneOf<string>(ACCESS_MODIFIERS),
  isDefault: Type.Boolean(),
  isActive: Type.Boolean(),
  ...CATALOG_OUTPUT,
  archiveBytes: Type.Integer({ description: 'Of the uploaded archive; 0 for a plugin that ships with the server' }),
  archiveSha256: nullable(Type.String()),
  revision: Type.Integer(),
  createdAt: Instant,
  createdBy: Type.String(),
  updatedAt: Instant,
  updatedBy: Type.String(),
  ...TOMBSTONE_OUTPUT,
})

export function pluginView(row: PluginRow) {
  const {
    versionKey,
    wantsDefault,
    archiveKey,
    createdAtMs,
    updatedAtMs,
    deletedAtMs,
    deletedBy,
    purgeAfterMs,
    ...rest
  } = row
  return {
    ...rest,
    keywords: [...row.keywords],
    secrets: [...row.secrets],
    installCommands: [...row.installCommands],
    commands: [...row.commands],
    ...catalogOf(row),
    links: [...row.links],
    contract: {
      ...row.contract,
      requiredMetadata: [...row.contract.requiredMetadata],
      requiredVars: [...row.contract.requiredVars],
    },
    createdAt: toIso(createdAtMs),
    updatedAt: toIso(updatedAtMs),
    ...tombstoneView({ deletedAtMs, deletedBy, purgeAfterMs }),
  }
}

/** What the server sets, and what a version fixes: a record that was read may be sent back with them unchanged. */
export const SERVER_OWNED = [
  'id',
  'orgId',
  'name',
  'version',
  'baseImage',
  'usesRootUser',
  'buildType',
  'contract',
  'smokeTest',
  'imageRef',
  'imageDigest',
  'imageSizeBytes',
  'buildStatus',
  'archiveBytes',
  'archiveSha256',
  'revision',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'purgeAfter',
] as const
