/**
 * Answers the requests of one operation, always in this order: limits by address, authenticate, tenant, access, limits
 * by caller, input, Idempotency-Key, step-up, prepare, run, envelope. The body is not read before the caller is
 * authorized.
 */
import type { Context } from 'hono'
import { Refusal } from '../errors.js'
import { isPublic } from '../operation/authorize.js'
import { callMeterPort, isCountedCall } from '../operation/call-meter.js'
import type { RequestInfo } from '../operation/context.js'
import { declaredErrors } from '../operation/declared-errors.js'
import { requireForm } from '../operation/forms.js'
import type { AnyCommand, Operation } from '../operation/operation.js'
import type { RawRule } from '../operation/raw.js'
import type { UploadRule } from '../operation/upload.js'
import { findPort } from '../port.js'
import type { Settings } from '../settings/load.js'
import { remoteSpan, traced } from '../tracing.js'
import { admit, confirmation, NOT_ASKED } from './admit.js'
import { mediaType, readBytes } from './body.js'
import { deniedRecorder } from './denied.js'
import { isUnmodified, type Rendered } from './envelope.js'
import { ANONYMOUS, type Confirm, type Exchange, type Served } from './exchange.js'
import { type Call, type CheckedInput, execute } from './execute.js'
import { smaller } from './gzip.js'
import { openFile } from './open-file.js'
import { openStream } from './open-stream.js'
import type { HttpOptions } from './options.js'
import { rawSlots } from './raw-slots.js'
import { inputReader } from './read-input.js'
import { receiveUpload } from './receive-upload.js'
import { refuse, respond } from './refuse.js'
import { requestInfo } from './request-info.js'
import { RequestLimits } from './request-limits.js'
import { renderQuery, runCommand } from './run-command.js'
import { bindingsOf, type SentHeaders, sentHeaders } from './sent-headers.js'
import { admittedNow } from './still-admitted.js'
import { streamSlots } from './stream-slots.js'

export type Answerer = (c: Context) => Promise<Response>

/** What all operations share. The route of an operation is its full path, as a template. */
export function answererFactory(options: HttpOptions): (operation: Operation, route: string) => Answerer {
  const shared = {
    options,
    recordDenied: deniedRecorder(options.runtime),
    slots: streamSlots(options.streamsMax),
    rawSlots: rawSlots(),
  }
  return (operation, route) =>
    answerer(
      {
        ...shared,
        operation,
        readInput: inputReader(operation, options),
        declared: new Set(declaredErrors(operation)),
        isOpen: isPublic(operation.access),
        isCounted: isCountedCall(operation),
      },
      route,
    )
}

function answerer(served: Served, route: string): Answerer {
  const { operation, options } = served
  const { method, path } = operation.http
  const attributes = { 'http.request.method': method.toUpperCase(), 'http.route': `${options.basePath}${path}` }
  return (c) => {
    const headers = sentHeaders(c)
    const bindings = bindingsOf(c)
    if (bindings !== undefined) bindings.route = route
    const start = () =>
      ({ name: operation.name, kind: 'request', attributes, parent: () => remoteSpan(headers) }) as const
    return traced(start, async (span) => {
      const request = requestInfo(c, headers, options.runtime.ids, options.trustedProxyHops)
      if (span === null) return withoutBody(c, await answer(served, exchangeOf(served, c, headers, request)))
      const { traceId, traceparent } = span
      const exchange = exchangeOf(served, c, headers, { ...request, traceId, traceparent })
      const response = await withoutBody(c, await answer(served, exchange))
      span.set('http.response.status_code', response.status)
      const orgId = exchange.authority?.org?.id
      if (orgId !== undefined) span.set('plumbline.org.id', orgId)
      if (response.status >= 500) span.failed(String(response.status))
      return response
    })
  }
}

function exchangeOf({ options }: Served, c: Context, headers: SentHeaders, request: RequestInfo): Exchange {
  const limits = new RequestLimits(options.runtime.limiter, request.ip, findPort(options.runtime, callMeterPort))
  return { c, headers, request, limits, principal: ANONYMOUS, authority: null }
}

async function answer(served: Served, exchange: Exchange): Promise<Response> {
  try {
    return await run(served, exchange)
  } catch (thrown) {
    const error = await countRefused(served, exchange, thrown)
    const response = await refuse(served, exchange, error)
    exchange.limits.ended(response.status)
    return response
  }
}

/**
 * Counts a refused raw command by its address. Above the limit, the answer is the limit and not the reason of the
 * refusal.
 */
async function countRefused({ operation }: Served, { limits }: Exchange, error: unknown): Promise<unknown> {
  if (operation.kind !== 'command' || operation.raw === undefined || !(error instanceof Refusal)) return error
  const { status } = error
  if (status < 400 || status >= 500 || status === 409 || status === 429) return error
  try {
    // guard: what-a-raw-command-refuses-is-counted
    await limits.byAddress(operation.raw.refusedIn)
    return error
  } catch (tooMany) {
    return tooMany
  }
}

async function run(served: Served, exchange: Exchange): Promise<Response> {
  const { operation, options } = served
  const { runtime, authenticator } = options
  const { c, headers, request } = exchange
  const authority = await admit(served, exchange)
  const { principal } = exchange
  const confirm = confirmation(served, exchange)
  const reading = served.readInput(c, headers, confirm === NOT_ASKED ? undefined : confirm)
  const input = reading instanceof Promise ? await reading : reading
  const acting = authenticator.actor(principal, authority)
  const actor = acting instanceof Promise ? await acting : acting
  const call: Call = { runtime, principal, authority, actor, request, nowMs: runtime.clock.now(), sent: c.req.raw }
  switch (operation.kind) {
    case 'stream':
      await confirm()
      return openStream(served as Served<typeof operation>, call, input, headers, c.req.raw.signal)
    case 'file':
      await confirm()
      return openFile(served as Served<typeof operation>, call, input, headers)
    case 'query': {
      if (operation.access.stepUp !== false) await confirm()
      if (operation.forms !== undefined) requireForm(operation.forms, headers.get('accept'))
      const outcome = await execute(operation, call, input)
      const rendering = renderQuery(served as Served<typeof operation>, outcome, headers.get('accept'))
      const rendered = rendering instanceof Promise ? await rendering : rendering
      const isKnown = isUnmodified(headers.get('if-none-match'), rendered.headers['etag'] as string | undefined)
      if (isKnown) return respond(served, exchange, { status: 304, body: null, headers: rendered.headers })
      const sent = smaller(rendered, headers.get('accept-encoding'))
      return respond(served, exchange, sent instanceof Promise ? await sent : sent)
    }
    case 'command': {
      const command = served as Served<typeof operation>
      const rendered =
        operation.upload !== undefined
          ? await runUpload(command, operation.upload, call, input, exchange, confirm)
          : operation.raw !== undefined
            ? await runRaw(command, operation.raw, call, input, exchange)
            : await runCommand(command, call, input, headers, confirm)
      return respond(served, exchange, rendered)
    }
  }
}

async function runUpload(
  served: Served<AnyCommand>,
  upload: UploadRule,
  call: Call,
  input: CheckedInput,
  { c, headers }: Exchange,
  confirm: Confirm,
): Promise<Rendered> {
  const { operation, options } = served
  // An upload may be large, so the step-up is checked before it is received.
  if (operation.access.stepUp !== false) await confirm()
  const rule = uploadRule(upload, options.runtime.settings)
  const received = await receiveUpload(c.req.raw, rule, operation.input.body, options.uploadFolder)
  try {
    // guard: an-upload-is-stored-by-who-may-when-it-arrived
    const now = await admittedNow(served, call, headers, true)
    return await runCommand(served, now, { ...input, ...received.input }, headers, confirm)
  } finally {
    await received.remove()
  }
}

/** A raw body up to this size is read without a slot, so that a slow sender holds nothing but its connection. */
const SMALL_RAW_BYTES = 65_536

/**
 * Limits how many requests of a raw command are handled at once, because the signature of each must be verified, and how
 * many large bodies are read at once. The two are counted apart: large bodies that arrive slowly block no small ones.
 */
async function runRaw(
  served: Served<AnyCommand>,
  rule: RawRule,
  call: Call,
  input: CheckedInput,
  { c, headers }: Exchange,
): Promise<Rendered> {
  const { rawSlots: slots, operation } = served
  const announced = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  const bytesMax = Math.min(announced, rule.bytesMax)
  // guard: slow-bodies-hold-no-slot-of-small-ones
  const read = bytesMax <= SMALL_RAW_BYTES ? () => undefined : slots.take(`${operation.name} body`, rule.atOnceMax)
  let bytes: Buffer
  try {
    bytes = await readBytes(c.req.raw, headers, rule.bytesMax)
  } finally {
    read()
  }
  const freed = [slots.take(operation.name, rule.atOnceMax)]
  try {
    const { parameter = '', max = 0 } = rule.atOnceEach ?? {}
    const sender = (input.path as Readonly<Record<string, string>>)[parameter]
    // guard: one-sender-takes-its-share-of-the-slots
    if (sender !== undefined) freed.push(slots.take(`${operation.name} ${sender}`, max))
    const raw = { bytes, mediaType: mediaType(headers), headers }
    return await runCommand(served, call, { ...input, raw }, headers, NOT_ASKED)
  } finally {
    for (const free of freed) free()
  }
}

/** Returns the headers that GET would send, and closes the body of GET, which nobody reads. */
async function withoutBody(c: Context, response: Response): Promise<Response> {
  // guard: head-closes-what-get-opens
  if (c.req.raw.method === 'HEAD') await response.body?.cancel()
  return response
}

/** The rule of the upload with the limit of this server. */
function uploadRule(rule: UploadRule, settings: Settings): UploadRule {
  const bytesMax = Math.min(rule.bytesMax, rule.bytesMaxOf?.(settings) ?? rule.bytesMax)
  const arrivesMs = rule.arrivesMsOf?.(settings) ?? rule.arrivesMs
  return { part: rule.part, contentTypes: rule.contentTypes, bytesMax, arrivesMs }
}
