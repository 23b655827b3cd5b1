/** The builder properties of a pipeline: what it builds from, with which plugins, in which order. Source: spec platform 8.2. */
import Type, { type Static } from 'typebox'
import { name } from '../../runtime/operation/name.js'
import { strictObject } from '../../runtime/operation/schema.js'

export const STAGES_MAX = 50
export const STEPS_MAX = 50

const Open = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })
const Name = name(1, 255)
const Commands = Type.Optional(Type.Array(Type.String({ maxLength: 8192 }), { maxItems: 100 }))

export const SOURCE_TYPES = ['s3', 'github', 'codestar', 'codecommit', 'gitlab', 'bitbucket', 'git'] as const

export const PluginUse = strictObject(
  {
    name: Name,
    version: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'By default, the default version' }),
    ),
    alias: Type.Optional(Name),
    filter: Type.Optional(Open('`name`, `version`, `isDefault` and others; a separate `version` takes precedence')),
    metadata: Type.Optional(Open('Values for the plugin')),
  },
  { description: 'A plugin by name and version' },
)

const Step = strictObject({
  name: Type.Optional(Name),
  plugin: PluginUse,
  env: Type.Optional(Open('Environment of the step')),
  metadata: Type.Optional(Open('Values for the step')),
  network: Type.Optional(Open('Where it runs')),
  position: Type.Optional(Type.Enum(['pre', 'post'])),
  timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 480, description: 'Minutes' })),
  failureBehavior: Type.Optional(Type.Enum(['fail', 'warn', 'ignore'])),
  inputArtifact: Type.Optional(Type.Unsafe<unknown>({ description: 'The step or file whose output it reads' })),
  preInstallCommands: Commands,
  postInstallCommands: Commands,
  preCommands: Commands,
  postCommands: Commands,
  deploy: Type.Optional(Open('The target of the deployment')),
  commands: Type.Optional(
    Type.Unsafe<unknown>({
      description: 'Refused: commands belong to the plugin; use `preCommands` and `postCommands`',
    }),
  ),
})

const Stage = strictObject({
  stageName: Name,
  alias: Type.Optional(Name),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Marks a stage that deploys' })),
  steps: Type.Array(Step, { minItems: 1, maxItems: STEPS_MAX }),
})

/** An example for the documentation of the API. */
export const PROPS_EXAMPLE = {
  synth: {
    source: { type: 'github', options: { repo: 'acme/web', branch: 'main' } },
    plugin: { name: 'node-build' },
  },
}

export const PropsSchema = strictObject(
  {
    project: Type.Optional(Name),
    organization: Type.Optional(Name),
    pipelineName: Type.Optional(Name),
    global: Type.Optional(Open('Settings of the whole pipeline')),
    defaults: Type.Optional(Open('Settings of every step')),
    role: Type.Optional(Type.Unsafe<unknown>({ description: 'The role that builds run as' })),
    metadata: Type.Optional(Open('Values that tokens can use')),
    vars: Type.Optional(Open('Values that tokens can use')),
    schedule: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'A cron or rate expression' })),
    synth: strictObject({
      source: strictObject({
        type: Type.Enum([...SOURCE_TYPES]),
        options: Open('By type: a repository and a branch, or a bucket and a key'),
      }),
      plugin: PluginUse,
      metadata: Type.Optional(Open('Values for the step')),
      env: Type.Optional(Open('Environment of the step')),
      network: Type.Optional(Open('Where it runs')),
      preInstallCommands: Commands,
      postInstallCommands: Commands,
      preCommands: Commands,
      postCommands: Commands,
    }),
    stages: Type.Optional(Type.Array(Stage, { maxItems: STAGES_MAX })),
  },
  { description: 'The builder properties', examples: [PROPS_EXAMPLE] },
)

export type Props = Static<typeof PropsSchema>

const trigger = Type.Optional(Type.Enum(['NONE', 'AUTO', 'SCHEDULE']))
const branch = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }))
const Repo = Type.String({
  pattern: '^[^\\s/]+(/[^\\s/]+)+$|\\{\\{',
  'x-says': 'must be `owner/name`',
  maxLength: 255,
  description: 'owner/name',
})
const token = Type.Optional(Type.String({ minLength: 1, maxLength: 512 }))
const GitHost = strictObject({ repo: Repo, branch, token, trigger })

/** The schemas of `synth.source.options`, by type. */
export const SOURCE_OPTIONS = {
  github: GitHost,
  gitlab: GitHost,
  bitbucket: GitHost,
  git: strictObject({ repo: Type.String({ minLength: 1, maxLength: 2048 }), branch, token, trigger }),
  s3: strictObject({
    bucketName: Type.String({ minLength: 3, maxLength: 255 }),
    objectKey: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    trigger,
  }),
  codestar: strictObject({
    repo: Repo,
    branch: Type.String({ minLength: 1, maxLength: 255 }),
    connectionArn: Type.String({ minLength: 1, maxLength: 512 }),
    trigger,
    codeBuildCloneOutput: Type.Optional(Type.Boolean()),
  }),
  codecommit: strictObject({ repositoryName: Type.String({ minLength: 1, maxLength: 255 }), branch, trigger }),
} as const
