/**
 * The pipeline draft, and its conversion to and from builder properties. `fromProps` names what a draft cannot express
 * (network, deployments, filters), so that nothing of a stored pipeline is lost silently.
 */
import Type, { type Static } from 'typebox'
import { type CreateBody, type Props, SOURCE_TYPES } from '../../pipeline/index.js'
import type { FieldIssue } from '../../runtime/errors.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import {
  Beyond,
  described,
  listOf,
  mapIssues,
  mapOf,
  NamedScalar,
  NamedText,
  oneOf,
  present,
  text,
  texts,
} from './shape.js'

const PluginDraft = strictObject({
  name: text('the name of a plugin'),
  version: nullable(text('an exact version; null for the default one')),
  alias: nullable(text()),
})

const COMMANDS = ['preInstallCommands', 'postInstallCommands', 'preCommands', 'postCommands'] as const
const commands = {
  preInstallCommands: texts(),
  postInstallCommands: texts(),
  preCommands: texts('shell commands before the plugin runs'),
  postCommands: texts('shell commands after it'),
}

const SOURCE_KEYS = [
  'repo',
  'branch',
  'token',
  'trigger',
  'bucketName',
  'objectKey',
  'connectionArn',
  'codeBuildCloneOutput',
  'repositoryName',
] as const

const SourceDraft = strictObject({
  type: oneOf(SOURCE_TYPES),
  repo: nullable(text('owner/name; for `git` an address')),
  branch: nullable(text()),
  token: nullable(text('`secret:<name>`, never a token itself')),
  trigger: nullable(oneOf(['NONE', 'AUTO', 'SCHEDULE'])),
  bucketName: nullable(text('for `s3`')),
  objectKey: nullable(text('for `s3`')),
  connectionArn: nullable(text('for `codestar`')),
  codeBuildCloneOutput: nullable(Type.Boolean({ description: 'for `codestar`' })),
  repositoryName: nullable(text('for `codecommit`')),
})

const StepDraft = strictObject({
  name: nullable(text()),
  plugin: PluginDraft,
  env: listOf(NamedText),
  metadata: listOf(NamedScalar),
  position: nullable(oneOf(['pre', 'post'])),
  timeout: nullable(Type.Integer({ description: 'minutes, 1 to 480' })),
  failureBehavior: nullable(oneOf(['fail', 'warn', 'ignore'])),
  ...commands,
})

const StageDraft = strictObject({
  stageName: text(),
  alias: nullable(text()),
  environment: nullable(text('set on a stage that deploys, such as `staging`')),
  steps: Type.Array(StepDraft),
})

export const PipelineDraft = strictObject({
  project: nullable(text()),
  organization: nullable(text()),
  pipelineName: nullable(text()),
  description: nullable(text('one sentence about what the pipeline does')),
  keywords: texts(),
  labels: described(NamedScalar, 'such as `team`; what the rules ask for, as names and values'),
  schedule: nullable(text('a cron or rate expression, such as `rate(1 day)`')),
  metadata: listOf(NamedScalar),
  vars: listOf(NamedScalar),
  synth: strictObject({
    source: SourceDraft,
    plugin: PluginDraft,
    env: listOf(NamedText),
    metadata: listOf(NamedScalar),
    ...commands,
  }),
  stages: listOf(StageDraft),
})
export type PipelineDraft = Static<typeof PipelineDraft>

type Commands = Pick<Static<typeof StepDraft>, (typeof COMMANDS)[number]>
const commandsOf = (from: Commands) =>
  present({
    preInstallCommands: from.preInstallCommands,
    postInstallCommands: from.postInstallCommands,
    preCommands: from.preCommands,
    postCommands: from.postCommands,
  })

const optionalMap = <V>(key: string, list: readonly { readonly name: string; readonly value: V }[] | null) =>
  list === null ? {} : { [key]: mapOf(list) }

/** The properties that the draft stands for, not checked yet. */
export function toProps(draft: PipelineDraft): Props {
  const { synth, stages, vars, metadata } = draft
  const { type, ...options } = synth.source
  const props = {
    ...present({
      project: draft.project,
      organization: draft.organization,
      pipelineName: draft.pipelineName,
      schedule: draft.schedule,
    }),
    ...optionalMap('metadata', metadata),
    ...optionalMap('vars', vars),
    synth: {
      source: { type, options: present(options) },
      plugin: present(synth.plugin),
      ...optionalMap('env', synth.env),
      ...optionalMap('metadata', synth.metadata),
      ...commandsOf(synth),
    },
    ...(stages === null ? {} : { stages: stages.map(stageOf) }),
  }
  return props as unknown as Props
}

const stageOf = ({ stageName, alias, environment, steps }: Static<typeof StageDraft>) => ({
  stageName,
  ...present({ alias, environment }),
  steps: steps.map(({ plugin, env, metadata, name, position, timeout, failureBehavior, ...rest }) => ({
    ...present({ name, position, timeout, failureBehavior }),
    plugin: present(plugin),
    ...optionalMap('env', env),
    ...optionalMap('metadata', metadata),
    ...commandsOf(rest),
  })),
})

/** The body of a create. Names that the draft leaves open come from the request's context. */
export function toBody(
  draft: PipelineDraft,
  names: { readonly project: string; readonly organization: string },
): CreateBody {
  const project = draft.project ?? names.project
  const organization = draft.organization ?? names.organization
  return {
    project,
    organization,
    ...present({ description: draft.description, keywords: draft.keywords }),
    ...optionalMap('labels', draft.labels),
    props: { ...toProps(draft), project, organization },
  } as CreateBody
}

/** Checks that the schema of a draft cannot express: lists that do not convert to maps. */
export const pipelineDraftIssues = ({ labels, vars, metadata, synth, stages }: PipelineDraft): FieldIssue[] => [
  ...mapIssues(labels, '/labels'),
  ...mapIssues(vars, '/vars'),
  ...mapIssues(metadata, '/metadata'),
  ...mapIssues(synth.env, '/synth/env'),
  ...mapIssues(synth.metadata, '/synth/metadata'),
  ...(stages ?? []).flatMap(({ steps }, stage) =>
    steps.flatMap(({ env, metadata: own }, step) => [
      ...mapIssues(env, `/stages/${stage}/steps/${step}/env`),
      ...mapIssues(own, `/stages/${stage}/steps/${step}/metadata`),
    ]),
  ),
]

type Use = Props['synth']['plugin']
type Step = NonNullable<Props['stages']>[number]['steps'][number]

/**
 * Converts properties to a draft.
 * @returns `beyond`: pointers to what a draft cannot express. When it is empty, `toProps` of the draft equals the
 *   properties.
 */
export function fromProps(props: Props): { readonly draft: PipelineDraft; readonly beyond: readonly string[] } {
  const beyond = new Beyond()
  beyond.none(props, ['global', 'defaults', 'role'], '')
  const { synth } = props
  beyond.none(synth, ['network'], '/synth')
  const draft: PipelineDraft = {
    project: props.project ?? null,
    organization: props.organization ?? null,
    pipelineName: props.pipelineName ?? null,
    description: null,
    keywords: null,
    labels: null,
    schedule: props.schedule ?? null,
    metadata: beyond.scalars(props.metadata, '/metadata'),
    vars: beyond.scalars(props.vars, '/vars'),
    synth: {
      source: sourceDraft(synth.source, beyond),
      plugin: pluginDraft(synth.plugin, '/synth/plugin', beyond),
      env: beyond.texts(synth.env, '/synth/env'),
      metadata: beyond.scalars(synth.metadata, '/synth/metadata'),
      ...commandsDraft(synth),
    },
    stages:
      props.stages?.map((stage, n) => ({
        stageName: stage.stageName,
        alias: stage.alias ?? null,
        environment: stage.environment ?? null,
        steps: stage.steps.map((step, m) => stepDraft(step, `/stages/${n}/steps/${m}`, beyond)),
      })) ?? null,
  }
  return { draft, beyond: beyond.paths }
}

function sourceDraft({ type, options }: Props['synth']['source'], beyond: Beyond): PipelineDraft['synth']['source'] {
  const known: readonly string[] = SOURCE_KEYS
  for (const [name, value] of Object.entries(options)) {
    const fits = name === 'codeBuildCloneOutput' ? typeof value === 'boolean' : typeof value === 'string'
    const isTrigger = name !== 'trigger' || ['NONE', 'AUTO', 'SCHEDULE'].includes(String(value))
    if (!known.includes(name) || !fits || !isTrigger) beyond.add(`/synth/source/options/${name}`)
  }
  const values = Object.fromEntries(SOURCE_KEYS.map((key) => [key, options[key] ?? null]))
  return { type, ...values } as PipelineDraft['synth']['source']
}

function pluginDraft(use: Use, at: string, beyond: Beyond): Static<typeof PluginDraft> {
  beyond.none(use, ['filter', 'metadata'], at)
  return { name: use.name, version: use.version ?? null, alias: use.alias ?? null }
}

function stepDraft(step: Step, at: string, beyond: Beyond): Static<typeof StepDraft> {
  beyond.none(step, ['network', 'inputArtifact', 'deploy', 'commands'], at)
  return {
    name: step.name ?? null,
    plugin: pluginDraft(step.plugin, `${at}/plugin`, beyond),
    env: beyond.texts(step.env, `${at}/env`),
    metadata: beyond.scalars(step.metadata, `${at}/metadata`),
    position: step.position ?? null,
    timeout: step.timeout ?? null,
    failureBehavior: step.failureBehavior ?? null,
    ...commandsDraft(step),
  }
}

const commandsDraft = (from: Partial<Record<(typeof COMMANDS)[number], string[]>>): Commands => ({
  preInstallCommands: from.preInstallCommands ?? null,
  postInstallCommands: from.postInstallCommands ?? null,
  preCommands: from.preCommands ?? null,
  postCommands: from.postCommands ?? null,
})
