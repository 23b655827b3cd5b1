/**
 * One generation, from its reservation to its end: asks models, checks each answer, returns the faults to the model,
 * and reports the result. A stream and a single answer both use it.
 *
 * INVARIANT: an unchecked draft is never in the last event. However the generation ends, its row is closed, its hold is
 * settled, and it is counted at most once.
 */
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { PrepareContext, SettleContext } from '../../runtime/operation/context.js'
import { costOf, hold, settle } from '../budget/budget.js'
import type { Checked, Subject } from '../check/checked.js'
import { DRAFT_BYTES_MAX, Preview, readDraft } from '../draft/read.js'
import { FAULTS_MAX, PROMPT_VERSION, repairTurn } from '../prompt.js'
import {
  broken,
  late,
  type Model,
  ModelFailed,
  type Piece,
  type Question,
  type Turn,
  type Usage,
} from '../provider/model.js'
import { providerName } from '../provider/providers.js'
import { aiOf } from '../services.js'
import type { GenerationRow } from '../tables.js'
import { type Asked, type Candidate, servedBy } from './ask.js'
import { type Said, say } from './events.js'
import { close, countCall, leaseMs } from './reserve.js'

export type GenerationContext = Omit<PrepareContext, 'signal'> & {
  readonly write: SettleContext<'ai.generate'>['write']
  readonly signal: AbortSignal
}

export interface Generation {
  readonly row: GenerationRow
  readonly asked: Asked
  readonly isStreamed: boolean
  /** The kind of draft, created after the generation has started. */
  subject(): Promise<Subject> | AsyncGenerator<Said, Subject>
}

/** For an answer that is not streamed: the number of invalid outputs before another provider is asked. */
const INVALID_MAX = 2

/** The state of a running generation. */
interface Progress {
  /** Who is asked now. */
  candidate: Candidate
  round: number
  inputTokens: number
  outputTokens: number
  microUsd: number
  isCounted: boolean
  /** Part of an answer was shown, so no other provider takes over. */
  isShown: boolean
  isClosed: boolean
}

/** @throws Refusal when it ended without a draft; the row records the same reason. */
export async function* generate(context: GenerationContext, generation: Generation): AsyncGenerator<Said> {
  const { row, asked } = generation
  const progress: Progress = {
    candidate: asked.candidates[0],
    round: 0,
    inputTokens: 0,
    outputTokens: 0,
    microUsd: 0,
    isCounted: false,
    isShown: false,
    isClosed: false,
  }
  try {
    yield say('start', {
      generationId: row.id,
      requestId: context.request.requestId,
      servedBy: servedBy(asked.candidates[0]),
    })
    const made = generation.subject()
    const subject = made instanceof Promise ? await made : yield* made
    yield* throughCandidates(context, generation, subject, progress)
  } catch (error) {
    const refusal = context.signal.aborted ? canceled() : refusalOf(error)
    await fail(context, generation, progress, refusal)
    throw refusal
  } finally {
    // A client that disconnects ends the generator here.
    if (!progress.isClosed) await fail(context, generation, progress, canceled())
  }
}

const CANCELED = 'the client closed the stream, the right to draft has ended, or the server is shutting down'
const canceled = (): Refusal => new Refusal('REQUEST_TIMEOUT', `the generation was canceled: ${CANCELED}`)

const refusalOf = (error: unknown): unknown =>
  error instanceof ModelFailed ? new Refusal(error.code, error.message) : error

async function* throughCandidates(
  context: GenerationContext,
  generation: Generation,
  subject: Subject,
  progress: Progress,
): AsyncGenerator<Said> {
  const { candidates } = generation.asked
  for (const [n, candidate] of candidates.entries()) {
    const next = candidates[n + 1]
    try {
      yield* attempt(
        context,
        generation,
        subject,
        { candidate, isFallback: n > 0, hasNext: next !== undefined },
        progress,
      )
      return
    } catch (error) {
      const reason = next === undefined || context.signal.aborted ? null : reasonToGoOn(error, progress)
      if (next === undefined || reason === null) throw error
      yield say('fallback', { from: servedBy(candidate), to: servedBy(next), reason })
    }
  }
}

/** The output failed the checks, and another provider may do better. */
class InvalidTwice extends Error {}

function reasonToGoOn(error: unknown, { isShown }: Progress): string | null {
  if (error instanceof InvalidTwice) return 'the output was invalid twice'
  if (!(error instanceof ModelFailed) || !error.mayFallBack) return null
  // guard: no-fallback-behind-the-first-token
  return isShown ? null : error.message
}

interface Attempt {
  readonly candidate: Candidate
  readonly isFallback: boolean
  readonly hasNext: boolean
}

async function* attempt(
  context: GenerationContext,
  generation: Generation,
  subject: Subject,
  { candidate, isFallback, hasNext }: Attempt,
  progress: Progress,
): AsyncGenerator<Said> {
  const { settings } = context.runtime
  progress.candidate = candidate
  const model = await open(context, candidate)
  const turns: Turn[] = [...subject.turns]
  for (let repairs = 0, invalid = 0; ; repairs++) {
    progress.round += 1
    const text = yield* askOnce(context, generation, subject, { candidate, model, turns }, progress)
    // guard: each-answer-has-a-verdict-of-its-own
    const checked = await check(context, subject, text)
    const { faults, told } = whatToTell(checked, generation)
    if (faults.length > 0) invalid += 1
    if (told.length === 0 || repairs >= settings.AI_REPAIR_ROUNDS) {
      // guard: what-is-not-valid-is-not-shown
      if (faults.length > 0) throw outputInvalid(faults)
      yield* finish(context, generation, { checked, candidate, isFallback }, progress)
      return
    }
    if (!generation.isStreamed && hasNext && invalid >= INVALID_MAX) throw new InvalidTwice()
    const shown = told.slice(0, FAULTS_MAX).map(({ path, message }) => ({ path, message }))
    yield say('repair', { round: repairs + 1, faults: shown })
    turns.push({ role: 'assistant', text: text.slice(0, DRAFT_BYTES_MAX) }, { role: 'user', text: repairTurn(told) })
  }
}

async function open(context: GenerationContext, { provider, model, key }: Candidate): Promise<Model> {
  if (key.source === 'none') {
    throw new ModelFailed('AI_NOT_CONFIGURED', `no key for ${providerName(provider)}`, {
      mayFallBack: true,
      mayCost: false,
    })
  }
  const { settings } = context.runtime
  const services = aiOf(context.runtime)
  return services.open({ provider, model: model.id, key: key.text, settings, egress: services.egress })
}

async function check(context: GenerationContext, subject: Subject, text: string): Promise<Checked> {
  const read = readDraft<unknown>(subject.schema, text)
  if ('faults' in read) return { faults: read.faults, blocking: [], shown: null, compliance: null, missing: [] }
  // Uses the current time, because rules may have changed since the previous round.
  return subject.check({ ...context, nowMs: context.runtime.clock.now() }, read.draft)
}

/** The faults, and the part that the model is told. Violations are told only if the organization shares its rules. */
function whatToTell({ faults, blocking }: Checked, { asked }: Generation) {
  return { faults, told: faults.length > 0 ? faults : asked.allowed.shareRules ? blocking : [] }
}

function outputInvalid(faults: Checked['faults']): Refusal {
  const issues = faults.slice(0, FAULTS_MAX).map(({ path, message, code }) => ({ path, message, code }))
  return new Refusal(
    'AI_OUTPUT_INVALID',
    `no answer of the model passed the checks; the last problem: ${issues[0]?.path || '/'} ${issues[0]?.message ?? ''}. Say more in the prompt, or choose another model`,
    { details: { issues } },
  )
}

interface Round {
  readonly candidate: Candidate
  readonly model: Model
  readonly turns: readonly Turn[]
}

/** Asks once: holds the budget, streams previews, and settles at the end. @returns the text. */
async function* askOnce(
  context: GenerationContext,
  { row, asked, isStreamed }: Generation,
  subject: Subject,
  { candidate, model, turns }: Round,
  progress: Progress,
): AsyncGenerator<Said, string> {
  const { settings } = context.runtime
  const over = new AbortController()
  // guard: an-answer-has-a-time
  const total = AbortSignal.timeout(settings.AI_TOTAL_MS)
  const question: Question = {
    instructions: subject.instructions,
    turns,
    schema: subject.schema,
    schemaName: subject.schemaName,
    outputTokensMax: settings.AI_MAX_OUTPUT_TOKENS,
    isStreamed,
    signal: AbortSignal.any([context.signal, over.signal, total]),
  }
  const most = { inputTokens: bytesOf(question), outputTokens: settings.AI_MAX_OUTPUT_TOKENS }
  await holdRound(context, row, candidate, most)
  let usage: Usage | 'nothing' | 'unknown' = 'unknown'
  try {
    let text = ''
    const preview = new Preview(subject.schema)
    const name = providerName(candidate.provider)
    const limits = isStreamed
      ? { firstMs: settings.AI_FIRST_TOKEN_MS, nextMs: settings.AI_IDLE_MS }
      : { firstMs: settings.AI_TOTAL_MS, nextMs: settings.AI_TOTAL_MS }
    for await (const piece of inTime(model.ask(question), { ...limits, name, signal: question.signal })) {
      if (!progress.isCounted) {
        // guard: a-generation-is-counted-at-its-first-token
        await context.write(({ tx }) => countCall(tx, context.runtime, row))
        progress.isCounted = true
      }
      if (piece.kind === 'end') usage = piece.usage ?? 'unknown'
      if (piece.kind !== 'text') continue
      text += piece.text
      if (text.length > DRAFT_BYTES_MAX) break
      const members = isStreamed ? preview.add(piece.text) : null
      if (members === null) continue
      progress.isShown = true
      yield asked.allowed.previews
        ? say('partial', { data: members, checked: false })
        : say('progress', { characters: text.length })
    }
    return text
  } catch (error) {
    // guard: a-question-that-no-provider-worked-on-costs-nothing
    if (error instanceof ModelFailed && !error.mayCost) usage = 'nothing'
    if (total.aborted && !context.signal.aborted)
      throw late(`${providerName(candidate.provider)} took longer than ${settings.AI_TOTAL_MS} ms`)
    throw error
  } finally {
    over.abort()
    await settleRound(context, row, candidate, usage, progress)
  }
}

/** An upper bound of the question's tokens: a token has at least one byte. */
const bytesOf = ({ instructions, turns, schema }: Question): number =>
  Buffer.byteLength(instructions) +
  Buffer.byteLength(JSON.stringify(turns)) +
  Buffer.byteLength(JSON.stringify(schema)) +
  1024

async function holdRound(
  context: GenerationContext,
  row: GenerationRow,
  { model }: Candidate,
  most: Usage,
): Promise<void> {
  const amount = { tokens: most.inputTokens + most.outputTokens, microUsd: costOf(model, most) }
  await context.write(({ tx, nowMs }) =>
    hold(tx, row, amount, { nowMs, leaseUntilMs: nowMs + leaseMs(context.runtime) }),
  )
}

async function settleRound(
  context: GenerationContext,
  row: GenerationRow,
  { model }: Candidate,
  usage: Usage | 'nothing' | 'unknown',
  progress: Progress,
): Promise<void> {
  const counted = await context.write(({ tx }) =>
    settle(tx, row, typeof usage === 'string' ? usage : { ...usage, microUsd: costOf(model, usage) }),
  )
  if (counted === null) return
  progress.inputTokens += counted.inputTokens
  progress.outputTokens += counted.outputTokens
  progress.microUsd += counted.microUsd
}

interface Limits {
  readonly firstMs: number
  readonly nextMs: number
  readonly name: string
  readonly signal: AbortSignal
}

/** The pieces, each within its time limit. When the reader stops, the source is closed. */
async function* inTime(pieces: AsyncIterable<Piece>, { firstMs, nextMs, name, signal }: Limits): AsyncGenerator<Piece> {
  const source = pieces[Symbol.asyncIterator]()
  let isFirst = true
  let hasEnded = false
  try {
    for (;;) {
      const ms = isFirst ? firstMs : nextMs
      const what = isFirst ? `${name} sent no first token within ${ms} ms` : `${name} sent nothing for ${ms} ms`
      // guard: a-model-that-says-nothing-is-left
      const next = await race(source.next(), ms, what, signal)
      if (next.done) {
        hasEnded = true
        return
      }
      // An end without any text is not an answer.
      if (isFirst && next.value.kind === 'end') throw broken(`${name} answered nothing`)
      isFirst = false
      yield next.value
    }
  } finally {
    // Not awaited: a source that hangs must not block the generation.
    if (!hasEnded) void source.return?.()?.catch(() => undefined)
  }
}

function race<T>(next: Promise<T>, ms: number, what: string, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => finish(() => reject(signal.reason))
    const timer = setTimeout(() => finish(() => reject(late(what))), ms)
    const finish = (end: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      end()
    }
    // Also handles a question that is already over: a later error of it must be caught.
    // guard: a-model-that-ends-too-late-ends-in-silence
    next.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    )
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

interface Ended {
  readonly checked: Checked
  readonly candidate: Candidate
  readonly isFallback: boolean
}

async function* finish(
  context: GenerationContext,
  { row }: Generation,
  { checked, candidate, isFallback }: Ended,
  progress: Progress,
): AsyncGenerator<Said> {
  const { inputTokens, outputTokens, microUsd, round } = progress
  const result = {
    generationId: row.id,
    servedBy: servedBy(candidate),
    fallbackUsed: isFallback,
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    costMicroUsd: microUsd,
    promptVersion: PROMPT_VERSION,
    rounds: round,
    checkedAt: toIso(context.runtime.clock.now()),
    ...checked.shown,
  }
  const verdict = checked.compliance?.blocked ? 'blocked' : checked.compliance?.passed ? 'passed' : 'warned'
  await context.write(async ({ tx, nowMs, audit }) => {
    const facts = factsOf(candidate)
    const ended = { state: 'done', finishedAtMs: nowMs, result, verdict, rounds: round, ...facts } as const
    if (!(await close(tx, row, ended))) throw canceled()
    await audit('ai.generate', {
      targetType: 'generation',
      targetId: row.id,
      details: { id: row.id, kind: row.kind, ...facts, verdict, rounds: round },
    })
  })
  progress.isClosed = true
  if (checked.missing.length > 0) yield say('plugins', { missing: checked.missing })
  yield say('done', { data: result })
}

/** Which provider, model and key a generation ended with. */
const factsOf = (candidate: Candidate) => ({ ...servedBy(candidate), keySource: candidate.key.source })

/** Closes the row with the reason. One that was never counted releases its reservation. */
async function fail(
  context: GenerationContext,
  { row }: Generation,
  progress: Progress,
  error: unknown,
): Promise<void> {
  if (progress.isClosed) return
  progress.isClosed = true
  const isCanceled = error instanceof Refusal && error.code === 'REQUEST_TIMEOUT'
  const errorCode = error instanceof Refusal ? error.code : 'INTERNAL_ERROR'
  const facts = factsOf(progress.candidate)
  await context.write(async ({ tx, nowMs, audit }) => {
    await settle(tx, row, 'unknown')
    const ended = {
      state: isCanceled ? 'cancelled' : 'failed',
      finishedAtMs: nowMs,
      errorCode,
      rounds: progress.round,
      ...facts,
    } as const
    if (!(await close(tx, row, ended)) || !progress.isCounted) return
    await audit('ai.generate', {
      targetType: 'generation',
      targetId: row.id,
      outcome: 'failure',
      details: {
        id: row.id,
        kind: row.kind,
        ...facts,
        rounds: progress.round,
        reason: errorCode,
      },
    })
  })
}
