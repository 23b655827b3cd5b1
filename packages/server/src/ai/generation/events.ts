/**
 * What a stream says: start, any of partial, progress, fallback and repair, then plugins?, and one of
 * done and error. Behind it comes the line `data: [DONE]`.
 */
import Type from 'typebox'
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
  suspicious: Type.Array(Suspicion, { description: 'What to look at before it is used' }),
  copied: Type.Array(Copied),
}

export const PipelineResult = strictObject({
  ...ofAll,
  body: Type.Unsafe<CreateBody>({ ...CreateBody, description: 'What `POST /pipelines` takes as it is' }),
  props: PropsSchema,
  description: nullable(Type.String()),
  keywords: Type.Array(Type.String()),
  missingPlugins: Type.Array(Missing),
})

const { dockerfile, ...config } = GeneratedPlugin.properties
export const PluginResult = strictObject({
  ...ofAll,
  body: Type.Unsafe<GeneratedPlugin>({
    ...GeneratedPlugin,
    description: 'What `POST /plugins/deploy-generated` takes as it is',
  }),
  config: strictObject(config),
  dockerfile,
})

const event = (type: string, properties: Record<string, Type.TSchema>) =>
  strictObject({ type: Type.Literal(type), ...properties })

const Fault = strictObject({ path: Type.String(), message: Type.String() })

/** @param result what the last event holds, in words. */
export const eventsOf = (result: string) =>
  Type.Unsafe<Record<string, unknown>>(
    Type.Union([
      event('start', { generationId: Uuid, requestId: Type.String(), servedBy: ServedBy }),
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
      }),
    ]),
  )

export type Said = StreamEvent<Record<string, unknown>>

/** An event whose data says its type too. */
export const say = (type: string, data: Readonly<Record<string, unknown>>): Said => ({
  event: type,
  data: { type, ...data },
})
