/** The schemas of `plugin-spec.yaml` and `config.yaml`. Source: spec platform 10.1 and 10.2. */
import Type, { type Static } from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'

export const PLUGIN_TYPES = ['CodeBuildStep', 'ShellStep', 'ManualApprovalStep'] as const
export const COMPUTE_TYPES = ['SMALL', 'MEDIUM', 'LARGE', 'X2_LARGE'] as const
export const BUILD_TYPES = ['build_image', 'prebuilt', 'metadata_only'] as const
export const FAILURE_BEHAVIORS = ['fail', 'warn', 'ignore'] as const
export type BuildType = (typeof BUILD_TYPES)[number]

export const oneOf = <S extends string>(values: readonly S[]) => Type.Unsafe<S>({ type: 'string', enum: [...values] })

export const PluginName = Type.String({
  pattern: '^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$',
  'x-says': 'must be lower-case letters, digits and inner hyphens, at most 64',
  description: 'Lower-case letters, digits and hyphens; at most 64 characters',
  examples: ['node-build'],
})
export const PluginVersion = Type.String({
  maxLength: 50,
  pattern:
    '^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})(-(0|[1-9][0-9]{0,8}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9][0-9]{0,8}|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$',
  'x-says': 'must be a version as SemVer 2.0 writes it, such as `1.4.0` or `2.0.0-rc.1`',
  description: 'A version as SemVer 2.0 writes it, such as `1.4.0` or `2.0.0-rc.1`',
  examples: ['1.4.0'],
})
export const Description = Type.String({ maxLength: 2000 })
export const Keywords = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 })
export const Category = Type.String({ minLength: 1, maxLength: 50 })
/** Minutes. */
export const Timeout = Type.Integer({ minimum: 0, maximum: 2160, description: 'Minutes' })
export const Commands = Type.Array(Type.String({ minLength: 1, maxLength: 65_536 }), { maxItems: 500 })
export const EnvName = '^[A-Za-z_][A-Za-z0-9_]{0,254}$'
export const Env = Type.Record(Type.String({ pattern: EnvName }), Type.String({ maxLength: 32_768 }), {
  maxProperties: 200,
  additionalProperties: false,
})
export const BuildArgs = Type.Record(
  Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,999}$' }),
  Type.String({ maxLength: 4096 }),
  { maxProperties: 20, additionalProperties: false },
)
export const SecretDeclaration = strictObject({
  name: Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$',
    'x-says':
      'must begin with a letter or an underscore and have at most 100 letters, digits, dots, underscores and hyphens',
    examples: ['NPM_TOKEN'],
  }),
  required: Type.Boolean(),
  description: Type.Optional(Type.String({ maxLength: 500 })),
})
export type SecretDeclaration = Static<typeof SecretDeclaration>
export const Secrets = Type.Array(SecretDeclaration, { maxItems: 100 })
export const OutputDirectory = Type.String({
  minLength: 1,
  maxLength: 28,
  pattern: '^(\\.|(\\./)?\\.?[A-Za-z0-9_*-][A-Za-z0-9._*-]*(/\\.?[A-Za-z0-9_*-][A-Za-z0-9._*-]*)*/?)$',
  'x-says': 'must be a folder below the working directory, such as `dist`, or a pattern such as `**/*`',
  description: 'A folder below the working directory, or a pattern such as `**/*`',
  examples: ['dist'],
})
/** Free form, within the limits that `limits.ts` of the record checks. */
export const Metadata = Type.Record(Type.String({ minLength: 1, maxLength: 255 }), Type.Unknown(), {
  maxProperties: 200,
})

export const CONTRACT_TYPES = ['string', 'number', 'bool', 'boolean', 'json'] as const
const ContractName = '^[A-Za-z_][A-Za-z0-9_-]{0,63}$'
const CONTRACT_NAME_SAYS =
  'must begin with a letter or an underscore and have at most 64 letters, digits, underscores and hyphens'
const Names = Type.Array(Type.String({ pattern: ContractName, 'x-says': CONTRACT_NAME_SAYS }), {
  maxItems: 100,
  uniqueItems: true,
})
const Types = Type.Record(Type.String({ pattern: ContractName, 'x-says': CONTRACT_NAME_SAYS }), oneOf(CONTRACT_TYPES), {
  maxProperties: 100,
  additionalProperties: false,
})

export const Contract = strictObject({
  requiredMetadata: Names,
  requiredVars: Names,
  metadataTypes: Types,
  varsTypes: Types,
})
export type Contract = Static<typeof Contract>

const FilePath = Type.String({ minLength: 1, maxLength: 1024 })

export const SpecFile = strictObject({
  name: PluginName,
  version: PluginVersion,
  description: Type.Optional(Description),
  keywords: Type.Optional(Keywords),
  category: Type.Optional(Category),
  pluginType: Type.Optional(oneOf(PLUGIN_TYPES)),
  computeType: Type.Optional(oneOf(COMPUTE_TYPES)),
  timeout: Type.Optional(Timeout),
  failureBehavior: Type.Optional(oneOf(FAILURE_BEHAVIORS)),
  secrets: Type.Optional(
    Type.Array(strictObject({ ...SecretDeclaration.properties, required: Type.Optional(Type.Boolean()) }), {
      maxItems: 100,
    }),
  ),
  primaryOutputDirectory: Type.Optional(OutputDirectory),
  metadata: Type.Optional(Metadata),
  dockerfile: Type.Optional(FilePath),
  installCommands: Type.Optional(Commands),
  commands: Type.Optional(Commands),
  env: Type.Optional(Env),
  buildArgs: Type.Optional(BuildArgs),
  requiredMetadata: Type.Optional(Names),
  requiredVars: Type.Optional(Names),
  metadataTypes: Type.Optional(Types),
  varsTypes: Type.Optional(Types),
  smokeTest: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
})
export type SpecFile = Static<typeof SpecFile>

export const ConfigFile = strictObject({
  pluginSpec: Type.Optional(FilePath),
  dockerfile: Type.Optional(FilePath),
  buildType: Type.Optional(oneOf(BUILD_TYPES)),
  imageTag: Type.Optional(Type.String({ maxLength: 255 })),
})
export type ConfigFile = Static<typeof ConfigFile>
