/**
 * The two forms of a generation: a stream of events, and a single answer. Both reserve first, so that a refusal is an
 * ordinary answer.
 */
import { stillMay } from '../../identity/index.js'
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
import { generate } from './run.js'

/** A request, parsed and allowed. */
export interface Planned {
  readonly kind: string
  readonly prompt: string
  readonly asked: Asked
  subject(context: PrepareContext): Promise<Subject> | AsyncGenerator<Said, Subject>
}

/** The reason why these operations span organizations. */
export const ACROSS = 'calls are those of the account, whose teams are counted together'
export const SILENT = 'the generation was only started, or ended before the model answered'

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

/** The events of a generation. The reservation is made before the first event. */
export async function streamed(context: StreamContext<'ai.generate'>, planned: Planned): Promise<AsyncGenerator<Said>> {
  const row = await context.write(({ tx }) => reserve(tx, context, reservationOf(planned, context)))
  const events = withErrors(whileAllowed(context, planned, row, true))
  // A generator that was never asked for an event closes without its `finally`, which would keep the place.
  const first = await events.next()
  const close = () => void events.return(undefined).catch(() => undefined)
  // guard: a-client-that-leaves-before-the-first-event-keeps-no-place
  if (context.signal.aborted) close()
  else context.signal.addEventListener('abort', close, { once: true })
  return from(first, events)
}

async function* from(first: IteratorResult<Said>, rest: AsyncGenerator<Said>): AsyncGenerator<Said> {
  if (first.done !== true) yield first.value
  yield* rest
}

const LOOK_EVERY_MS = 1000

/**
 * Cancels the generation within seconds, as for a disconnected client, when the person loses the right to draft: they
 * left, or their session ended.
 */
async function* whileAllowed(
  context: SettleContext<'ai.generate'> | StreamContext<'ai.generate'>,
  planned: Planned,
  row: GenerationRow,
  isStreamed: boolean,
): AsyncGenerator<Said> {
  const left = new AbortController()
  const look = () =>
    stillMay(context, planned.kind === 'plugin' ? 'plugins:write' : 'pipelines:write').then(
      // guard: who-may-not-draft-any-more-hears-no-more
      (may) => void (may || left.abort()),
      // A failed check is repeated by the next one.
      () => undefined,
    )
  const timer = setInterval(look, LOOK_EVERY_MS)
  try {
    const watched = { ...context, signal: AbortSignal.any([context.signal, left.signal]) }
    yield* generate(watched, {
      row,
      asked: planned.asked,
      isStreamed,
      subject: () => planned.subject(watched),
    })
  } finally {
    clearInterval(timer)
  }
}

/** A refusal after the start becomes the last event. */
async function* withErrors(said: AsyncGenerator<Said>): AsyncGenerator<Said> {
  try {
    yield* said
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, details } = error
    yield say('error', { code, message, ...(details === undefined ? {} : { details }) })
  }
}

/** The reservation of a command; its answer comes from `answered`. */
export async function begun<T>(
  context: WriteContext<'ai.generate'>,
  planned: Planned & { row?: GenerationRow },
): Promise<Outcome<T>> {
  planned.row = await reserve(context.tx, context, reservationOf(planned, context))
  return changed(undefined as T)
}

/** Runs a reserved generation to its end. @throws Refusal when it ended without a draft. */
export async function answered<T>(
  context: SettleContext<'ai.generate'>,
  planned: Planned & { readonly row?: GenerationRow },
): Promise<T> {
  const { row } = planned
  if (row === undefined) throw new Error('the generation was not reserved')
  for await (const { event, data } of whileAllowed(context, planned, row, false)) {
    if (event === 'done') return data['data'] as T
  }
  throw new Error('the generation ended without an end')
}
