/**
 * The events of a stream: start; analyzing and analyzed when it reads a repository; any of partial, progress, fallback
 * and repair; optionally plugins; and one of done and error. The line `data: [DONE]` follows.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { CreateBody, PropsSchema } from '../../pipeline/index.js'
import { GeneratedPlugin } from '../../plugin/index.js'
import type { StreamEvent } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Compliance, Missing, Quota } from '../check/checked.js'
import { Copied, Suspicion } from '../check/suspicious.js'

const ServedBy = strictObject({ provider: Type.String(), model: Type.String() })
export const UsageRecord = strictObject({
  inputTokens: Type.Integer({ minimum: 0 }),
  outputTokens: Type.Integer({ minimum: 0 }),
  totalTokens: Type.Integer({ minimum: 0 }),
})

const ofAll = {
  generationId: Uuid,
  servedBy: ServedBy,
  fallbackUsed: Type.Boolean(),
  usage: UsageRecord,
  costMicroUsd: Type.Integer({ minimum: 0, description: 'Millionths of a dollar; 0 for a model without a price' }),
  promptVersion: Type.String(),
  rounds: Type.Integer({ minimum: 1, description: 'Answers of the model, with those that were refused' }),
  checkedAt: Instant,
  action: nullable(Type.Unsafe<'create' | 'update'>({ type: 'string', enum: ['create', 'update'] })),
  validationWarnings: Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
  compliance: Compliance,
  quota: Quota,
  suspicious: Type.Array(Suspicion, { description: 'Parts that you should check before you use the draft' }),
  copied: Type.Array(Copied),
}

export const PipelineResult = strictObject({
  ...ofAll,
  body: Type.Unsafe<CreateBody>({ ...CreateBody, description: 'The body for `POST /pipelines`' }),
  props: PropsSchema,
  description: nullable(Type.String()),
  keywords: Type.Array(Type.String()),
  labels: Type.Unsafe<Readonly<Record<string, string | number | boolean>>>({
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  }),
  missingPlugins: Type.Array(Missing),
})

const { dockerfile, ...config } = GeneratedPlugin.properties
export const PluginResult = strictObject({
  ...ofAll,
  body: Type.Unsafe<GeneratedPlugin>({
    ...GeneratedPlugin,
    description: 'The body for `POST /plugins/deploy-generated`',
  }),
  config: strictObject(config),
  dockerfile,
})

const event = (type: string, properties: Record<string, Type.TSchema>) =>
  strictObject({ type: Type.Literal(type), ...properties })

const Words = Type.Array(Type.String())
/** The analysis of a repository. All its words come from the server's own lists, except names and the description. */
export const Analyzed = strictObject({
  owner: Type.String(),
  repo: Type.String(),
  provider: Type.Unsafe<'github' | 'gitlab' | 'bitbucket'>({ type: 'string', enum: ['github', 'gitlab', 'bitbucket'] }),
  host: Type.String(),
  defaultBranch: Type.String(),
  ref: Type.String({
    description: 'The branch, tag or commit that was read: the requested one, else the default branch',
  }),
  projectType: Type.String({
    description: '`node`, `python`, `go`, `java`, `rust`, `ruby`, `php`, `dotnet` or `unknown`',
  }),
  languages: Words,
  frameworks: Words,
  packageManager: nullable(Type.String()),
  tools: Words,
  hasTests: Type.Boolean(),
  hasDockerfile: Type.Boolean(),
  hasCdkJson: Type.Boolean(),
  description: nullable(Type.String({ description: 'As the forge reports it: text written by others' })),
  licence: nullable(Type.String({ description: 'SPDX identifier, as the forge reports it' })),
  files: Type.Integer({ minimum: 1, description: 'Number of files, as far as they were listed' }),
  filesRead: Type.Array(Type.String(), { description: 'Files whose first part the model sees' }),
  isCut: Type.Boolean({ description: 'Whether a part of the repository was not read' }),
})

export type Analyzed = Static<typeof Analyzed>

const Fault = strictObject({ path: Type.String(), message: Type.String() })

/** Events of a stream that reads a repository first. */
export const ANALYSIS_EVENTS = [
  event('analyzing', { owner: Type.String(), repo: Type.String(), files: Type.Integer({ minimum: 1 }) }),
  event('analyzed', Analyzed.properties),
] as const

/** @param result describes the content of the last event. */
export const eventsOf = (result: string, before: readonly TSchema[] = []) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Union([
      event('start', { generationId: Uuid, requestId: Type.String(), servedBy: ServedBy }),
      ...before,
      event('partial', {
        data: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
        checked: Type.Literal(false),
      }),
      event('progress', { characters: Type.Integer({ minimum: 0 }) }),
      event('fallback', { from: ServedBy, to: ServedBy, reason: Type.String() }),
      event('repair', { round: Type.Integer({ minimum: 1 }), faults: Type.Array(Fault) }),
      event('plugins', { missing: Type.Array(Missing) }),
      event('done', { data: Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: result }) }),
      event('error', {
        code: Type.String(),
        message: Type.String(),
        details: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
        requestId: Type.Optional(Type.String({ description: 'Of an error of the server' })),
      }),
    ]),
  )

export type Said = StreamEvent<Record<string, unknown>>

/** An event whose data repeats its type. */
export const say = (type: string, data: Readonly<Record<string, unknown>>): Said => ({
  event: type,
  data: { type, ...data },
})
