/** The plugin draft, and the specification and Dockerfile that it stands for. */
import Type, { type Static } from 'typebox'
import type { GeneratedPlugin } from '../../plugin/index.js'
import type { FieldIssue } from '../../runtime/errors.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { Beyond, listOf, mapIssues, mapOf, NamedText, oneOf, present, text, texts } from './shape.js'

export const PluginDraft = strictObject({
  name: text('lower-case letters, digits and inner hyphens'),
  version: text('SemVer, such as `1.0.0`'),
  description: nullable(text()),
  keywords: texts(),
  pluginType: nullable(oneOf(['CodeBuildStep', 'ShellStep'])),
  computeType: nullable(oneOf(['SMALL', 'MEDIUM', 'LARGE', 'X2_LARGE'])),
  primaryOutputDirectory: nullable(text('a folder below the working directory, such as `dist`')),
  installCommands: texts(),
  commands: Type.Array(Type.String(), { description: 'what a build runs' }),
  env: listOf(NamedText),
  buildArgs: listOf(NamedText),
  secrets: listOf(
    strictObject({ name: Type.String(), required: Type.Boolean(), description: nullable(Type.String()) }),
  ),
  dockerfile: text('the whole Dockerfile; it ends with a USER that is not root'),
})
export type PluginDraft = Static<typeof PluginDraft>

const optionalMap = (key: 'env' | 'buildArgs', list: readonly NamedText[] | null) =>
  list === null ? {} : { [key]: mapOf(list) }

export function toConfig(draft: PluginDraft): GeneratedPlugin {
  const { env, buildArgs, secrets, name, version, commands, dockerfile, ...optional } = draft
  return {
    name,
    version,
    commands,
    dockerfile,
    ...present(optional),
    ...optionalMap('env', env),
    ...optionalMap('buildArgs', buildArgs),
    ...(secrets === null ? {} : { secrets: secrets.map((secret) => present(secret)) }),
  } as GeneratedPlugin
}

export const pluginDraftIssues = ({ env, buildArgs }: PluginDraft): FieldIssue[] => [
  ...mapIssues(env, '/env'),
  ...mapIssues(buildArgs, '/buildArgs'),
]

/** Converts a plugin to a draft; when `beyond` is empty, `toConfig` of the draft equals the plugin. */
export function fromConfig(config: GeneratedPlugin): {
  readonly draft: PluginDraft
  readonly beyond: readonly string[]
} {
  const beyond = new Beyond()
  const { pluginType, computeType } = config
  const draft: PluginDraft = {
    name: config.name,
    version: config.version,
    description: config.description ?? null,
    keywords: config.keywords ?? null,
    pluginType: pluginType ?? null,
    computeType: computeType ?? null,
    primaryOutputDirectory: config.primaryOutputDirectory ?? null,
    installCommands: config.installCommands ?? null,
    commands: config.commands,
    env: beyond.texts(config.env, '/env'),
    buildArgs: beyond.texts(config.buildArgs, '/buildArgs'),
    secrets:
      config.secrets?.map(({ name, required, description }) => ({
        name,
        required,
        description: description ?? null,
      })) ?? null,
    dockerfile: config.dockerfile,
  }
  return { draft, beyond: beyond.paths }
}
