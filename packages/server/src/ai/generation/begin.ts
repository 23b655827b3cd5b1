/** The two ways of a generation: as a stream of events, and as one answer. Both reserve first, so that a refusal is an answer. */
import { Refusal } from '../../runtime/errors.js'
import {
  changed,
  type Outcome,
  type PrepareContext,
  type SettleContext,
  type StreamContext,
  type WriteContext,
} from '../../runtime/operation/context.js'
import type { Subject } from '../check/checked.js'
import type { GenerationRow } from '../tables.js'
import { type Asked, tenantOf } from './ask.js'
import { type Said, say } from './events.js'
import { reserve } from './reserve.js'
import { type Generation, generate } from './run.js'

/** What a request asks for, read and allowed. */
export interface Planned {
  readonly kind: string
  readonly prompt: string
  readonly asked: Asked
  subject(context: PrepareContext): Promise<Subject> | AsyncGenerator<Said, Subject>
}

/** Why these operations span organizations. */
export const ACROSS = 'calls are those of the account, whose teams are counted together'
export const SILENT = 'it began, or ended before the model answered'

export const GENERATE_ERRORS = [
  'AI_BUDGET_EXCEEDED',
  'AI_KEY_REJECTED',
  'AI_NOT_CONFIGURED',
  'AI_OUTPUT_INVALID',
  'COMPLIANCE_SERVICE_UNAVAILABLE',
  'CONFLICT',
  'QUOTA_EXCEEDED',
  'REQUEST_TIMEOUT',
  'SERVICE_UNAVAILABLE',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
  'VALIDATION_ERROR',
] as const

const reservationOf = ({ kind, prompt, asked }: Planned, context: Pick<PrepareContext, 'authority'>) => ({
  ...tenantOf(context),
  kind,
  prompt,
  candidate: asked.candidates[0],
  keepsPrompt: asked.allowed.keepPrompts,
})

/** The events of a generation, which is reserved before the first. */
export async function streamed(context: StreamContext<'ai.generate'>, planned: Planned): Promise<AsyncGenerator<Said>> {
  const row = await context.write(({ tx }) => reserve(tx, context, reservationOf(planned, context)))
  return withErrors(generate(context, generationOf(context, planned, row, true)))
}

/** A refusal behind the start is the last event. */
async function* withErrors(said: AsyncGenerator<Said>): AsyncGenerator<Said> {
  try {
    yield* said
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, details } = error
    yield say('error', { code, message, ...(details === undefined ? {} : { details }) })
  }
}

const generationOf = (
  context: PrepareContext,
  { asked, subject }: Planned,
  row: GenerationRow,
  isStreamed: boolean,
): Generation => ({
  row,
  asked,
  isStreamed,
  subject: () => subject(context),
})

/** The reservation of a command; its answer comes with `answered`. */
export async function begun<T>(
  context: WriteContext<'ai.generate'>,
  planned: Planned & { row?: GenerationRow },
): Promise<Outcome<T>> {
  planned.row = await reserve(context.tx, context, reservationOf(planned, context))
  return changed(undefined as T)
}

/** Runs what was reserved to its end. @throws Refusal of what ended it without a draft. */
export async function answered<T>(
  context: SettleContext<'ai.generate'>,
  planned: Planned & { readonly row?: GenerationRow },
): Promise<T> {
  const { row } = planned
  if (row === undefined) throw new Error('the generation was not reserved')
  for await (const { event, data } of generate(context, generationOf(context, planned, row, false))) {
    if (event === 'done') return data['data'] as T
  }
  throw new Error('the generation ended without an end')
}
