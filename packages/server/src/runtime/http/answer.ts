/**
 * Answers the requests of one operation, always in this order: limits by address, authenticate, tenant, access, limits by
 * caller, input, Idempotency-Key, step-up, prepare, run, envelope. Nothing of the body is read before the caller is known
 * to have the right.
 */
import type { Context } from 'hono'
import { insufficient, Refusal } from '../errors.js'
import { authorize, isPublic } from '../operation/authorize.js'
import { isCountedCall } from '../operation/call-meter.js'
import type { Authority, Outcome, Principal, RequestInfo } from '../operation/context.js'
import { declaredErrors } from '../operation/declared-errors.js'
import { type Call, type CheckedInput, execute, scopeOf } from '../operation/execute.js'
import type { AnyCommand, FileOperation, Operation, Query, Stream } from '../operation/operation.js'
import { problems } from '../operation/schema.js'
import type { UploadRule } from '../operation/upload.js'
import type { Settings } from '../settings/load.js'
import { remoteSpan, traced } from '../tracing.js'
import { deniedRecorder, isRecorded } from './denied.js'
import { answerHeaders, asRefusal, failure, isUnmodified, type Rendered, success, toResponse } from './envelope.js'
import { EVENT_STREAM_HEADERS, eventStream } from './event-stream.js'
import { fileStream } from './file-stream.js'
import { claim, finish, idempotencyKeyOf, isDefinite, settle } from './idempotency.js'
import type { HttpOptions } from './mount.js'
import { inputReader } from './read-input.js'
import { receiveUpload } from './receive-upload.js'
import { requestInfo } from './request-info.js'
import { RequestLimits } from './request-limits.js'
import { bindingsOf, type SentHeaders, sentHeaders } from './sent-headers.js'
import { serveFile } from './serve-file.js'
import { streamSlots } from './stream-slots.js'

const ANONYMOUS: Principal = { kind: 'anonymous' }

const NOBODY: Authority = {
  org: null,
  role: null,
  isMember: false,
  isSuperAdmin: false,
  permissions: new Set<never>(),
  scopes: new Set<never>(),
}

/** What is learned about a request on its way, for the error path. */
interface Known {
  principal: Principal
  authority: Authority | null
}

/** Has the caller confirm who they are, where the operation asks for it. */
type Confirm = () => Promise<void>
const NOT_ASKED: Confirm = async () => undefined

export type Answerer = (c: Context) => Promise<Response>

/** Things that all operations share. The route of an operation is its full path, as a template. */
export function answererFactory(options: HttpOptions): (operation: Operation, route: string) => Answerer {
  const { runtime, authenticator } = options
  const recordDenied = deniedRecorder(runtime)
  const slots = streamSlots(options.streamsMax)

  return (operation, route) => {
    const { access, tenant } = operation
    const isOpen = isPublic(access)
    const isChange = operation.kind === 'command'
    const readInput = inputReader(operation, options)
    const declared = new Set(declaredErrors(operation))
    const upload = operation.kind === 'command' ? operation.upload : undefined
    const isCounted = isCountedCall(operation)

    /** Who calls, and what they may do here. Waits only where there is something to wait for. */
    async function admit(c: Context, headers: SentHeaders, limits: RequestLimits, known: Known): Promise<Authority> {
      const counted = limits.byAddress(operation.rateLimit)
      if (counted !== undefined) await counted
      if (isOpen) {
        // A stale token beside a request that needs none, such as a refresh, is no reason to refuse it.
        await limits.anonymous()
        known.principal = ANONYMOUS
      } else {
        let proven: Principal
        try {
          const proving = authenticator.authenticate(headers)
          proven = proving instanceof Promise ? await proving : proving
        } catch (error) {
          // Without a good credential a request counts by its address, so that forged tokens pass no limit.
          await limits.anonymous()
          throw error
        }
        if (proven.kind === 'anonymous') {
          await limits.anonymous()
          authorize(access, proven, NOBODY, isChange)
        }
        known.principal = proven
      }
      const { principal } = known
      const header = headers.get('x-org-id')
      const wanted = tenant.from === 'path' ? (c.req.param(tenant.name) ?? null) : header
      let authority: Authority
      try {
        const found = authenticator.authority(principal, tenant.from, wanted, header)
        authority = found instanceof Promise ? await found : found
      } catch (error) {
        // Trying out organizations counts too.
        if (!isOpen) await limits.authenticated(principal, null)
        throw error
      }
      known.authority = authority
      const general = isOpen ? undefined : limits.authenticated(principal, authority)
      if (general !== undefined) await general
      if (isCounted && !(operation.kind === 'stream' && headers.get('last-event-id') !== null)) {
        const call = limits.apiCall(principal, authority)
        if (call !== undefined) await call
      }
      authorize(access, principal, authority, isChange)
      if (principal.kind === 'user' && principal.mustChangePassword && !operation.duringPasswordChange) {
        throw insufficient('password-change', 'set a password of your own first: POST /auth/password/change')
      }
      const own = limits.byCaller(operation.rateLimit, principal, authority)
      if (own !== undefined) await own
      return authority
    }

    /** Asks once, whoever asks first: a step-up token is used up by it. */
    function confirmation(principal: Principal, headers: SentHeaders): Confirm {
      if (access.stepUp === false || (access.stepUp === 'except-services' && principal.kind === 'service')) {
        return NOT_ASKED
      }
      let asked: Promise<void> | undefined
      return () => {
        asked ??= authenticator.stepUp(principal, headers.get('x-step-up-token'), operation.name)
        return asked
      }
    }

    const render = (of: Query | AnyCommand, outcome: Outcome<unknown>): Rendered => {
      if (options.checkResponses) checkResponse(of, outcome)
      return success(of, outcome)
    }

    async function runCommand(
      of: AnyCommand,
      call: Call,
      input: CheckedInput,
      headers: SentHeaders,
      confirm: Confirm,
    ): Promise<Rendered> {
      const key = idempotencyKeyOf(of, call.principal, headers)
      if (key === null) {
        if (access.stepUp !== false) await confirm()
        if (of.settle !== undefined) return render(of, await execute(of, call, input))
        // Rendered inside the transaction, so that an answer that cannot be sent leaves nothing behind.
        let rendered: Rendered | undefined
        const outcome = await execute(of, call, input, async (_tx, done) => {
          rendered = render(of, done)
        })
        return rendered ?? render(of, outcome)
      }
      const claimed = await claim(of, call, input, key, headers.get('x-step-up-token'))
      if ('replayed' in claimed) {
        // A retry brings the confirmation that the first request used up, or a fresh one.
        if (!claimed.replayed.hasSameStepUp) await confirm()
        return claimed.replayed.answer
      }
      const held = claimed.claim
      try {
        await confirm()
        let rendered: Rendered | undefined
        const outcome = await execute(of, call, input, async (tx, done) => {
          rendered = render(of, done)
          await finish(tx, held, rendered)
        })
        return rendered ?? render(of, outcome)
      } catch (error) {
        const refusal = asRefusal(error)
        await settle(held, isDefinite(refusal) ? failure(refusal, call.request.requestId) : null)
        throw error
      }
    }

    async function openFile(
      of: FileOperation,
      call: Call,
      input: CheckedInput,
      headers: SentHeaders,
    ): Promise<Response> {
      const abort = new AbortController()
      const context = { ...call, lastEventId: null, signal: abort.signal, isFile: true, read: scopeOf(of, call).read }
      const served = await of.open(context, input as never)
      const response = await serveFile(served, headers.get('if-range') === null ? headers.get('range') : null)
      for (const [name, value] of Object.entries(answerHeaders(options, call.request.requestId))) {
        if (!response.headers.has(name)) response.headers.set(name, value)
      }
      return response
    }

    async function openStream(
      of: Stream,
      call: Call,
      input: CheckedInput,
      headers: SentHeaders,
      gone: AbortSignal,
    ): Promise<Response> {
      const abort = new AbortController()
      const free = slots.take(call.principal, call.authority.org?.id ?? null)
      abort.signal.addEventListener('abort', free, { once: true })
      // A client that went before the answer began reads nothing, and nothing would end the stream.
      gone.addEventListener('abort', () => abort.abort(), { signal: abort.signal })
      const accepts = (media: string) =>
        (headers.get('accept') ?? '').split(',').some((each) => each.split(';')[0]?.trim().toLowerCase() === media)
      const { download } = of
      const file =
        download !== undefined && 'choose' in download
          ? download.choose(input as never, { accepts })
          : (download ?? null)
      options.drain?.addEventListener('abort', () => abort.abort(), { signal: abort.signal })
      const streamed = {
        ...call,
        lastEventId: headers.get('last-event-id')?.slice(0, 200) ?? null,
        signal: abort.signal,
        isFile: file !== null,
        read: scopeOf(of, call).read,
      }
      let events: Awaited<ReturnType<Stream['open']>>
      try {
        events = await of.open(streamed, input as never)
      } catch (error) {
        // A stream that never began listens no longer for the end of the process.
        abort.abort()
        throw error
      }
      if (file !== null) {
        const { media } = file
        const { org } = call.authority
        const fileName = (org !== null && file.nameFor?.(org)) || file.fileName
        return new Response(
          fileStream({ events, abort, onError: (error) => options.onError(error, call.request.requestId) }),
          {
            headers: {
              ...answerHeaders(options, call.request.requestId),
              'content-type': media,
              'content-disposition': `attachment; filename="${fileName}"`,
              'cache-control': 'no-store',
            },
          },
        )
      }
      const body = eventStream({
        events,
        abort,
        errorEvent: (error) => {
          if (!(error instanceof Refusal)) options.onError(error, call.request.requestId)
          const { code, message } = asRefusal(error)
          return { event: 'error', data: { code, message, requestId: call.request.requestId } }
        },
      })
      return new Response(body, {
        headers: { ...answerHeaders(options, call.request.requestId), ...EVENT_STREAM_HEADERS },
      })
    }

    async function run(
      c: Context,
      headers: SentHeaders,
      request: RequestInfo,
      limits: RequestLimits,
      known: Known,
    ): Promise<Response> {
      const authority = await admit(c, headers, limits, known)
      const { principal } = known
      const confirm = confirmation(principal, headers)
      const reading = readInput(c, headers, confirm === NOT_ASKED ? undefined : confirm)
      const input = reading instanceof Promise ? await reading : reading
      const acting = authenticator.actor(principal, authority)
      const actor = acting instanceof Promise ? await acting : acting
      const call: Call = { runtime, principal, authority, actor, request, nowMs: runtime.clock.now() }
      if (operation.kind === 'stream') {
        await confirm()
        return openStream(operation, call, input, headers, c.req.raw.signal)
      }
      if (operation.kind === 'file') {
        await confirm()
        return openFile(operation, call, input, headers)
      }
      let rendered: Rendered
      if (operation.kind === 'query') {
        if (access.stepUp !== false) await confirm()
        rendered = render(operation, await execute(operation, call, input, undefined, c.req.raw))
        const { etag } = rendered.headers
        if (isUnmodified(headers.get('if-none-match'), etag as string | undefined)) {
          rendered = { status: 304, body: null, headers: rendered.headers }
        }
      } else if (upload === undefined) {
        rendered = await runCommand(operation, call, input, headers, confirm)
      } else {
        // What is received is as large as an upload may be.
        if (access.stepUp !== false) await confirm()
        const received = await receiveUpload(
          c.req.raw,
          uploadRule(upload, runtime.settings),
          operation.input.body,
          options.uploadFolder,
        )
        try {
          rendered = await runCommand(operation, call, { ...input, ...received.input }, headers, confirm)
        } finally {
          await received.remove()
        }
      }
      return respond(rendered, request, limits)
    }

    function respond(rendered: Rendered, request: RequestInfo, limits: RequestLimits): Response {
      const headers = answerHeaders(options, request.requestId)
      limits.addHeaders(headers)
      return toResponse(rendered, headers)
    }

    async function refuse(
      error: unknown,
      request: RequestInfo,
      limits: RequestLimits,
      known: Known,
    ): Promise<Response> {
      let refusal = asRefusal(error)
      if (!(error instanceof Refusal)) options.onError(error, request.requestId)
      else if (options.checkResponses && !declared.has(refusal.code)) {
        const bug = new Error(`${operation.name} refused with ${refusal.code}, which it does not declare`, {
          cause: error,
        })
        options.onError(bug, request.requestId)
        refusal = asRefusal(bug)
      }
      if (isRecorded(operation, refusal)) {
        try {
          const authority = known.authority ?? NOBODY
          const actor = await authenticator.actor(known.principal, authority)
          await recordDenied({ operation, refusal, actor, authority, request })
        } catch (again) {
          options.onError(again, request.requestId)
        }
      }
      return respond(failure(refusal, request.requestId), request, limits)
    }

    async function answer(c: Context, headers: SentHeaders, request: RequestInfo, known: Known): Promise<Response> {
      const limits = new RequestLimits(runtime.limiter, request.ip, runtime.callMeter)
      try {
        return await run(c, headers, request, limits, known)
      } catch (error) {
        const response = await refuse(error, request, limits, known)
        limits.ended(response.status)
        return response
      }
    }

    const { method, path } = operation.http
    const attributes = { 'http.request.method': method.toUpperCase(), 'http.route': `${options.basePath}${path}` }

    return (c) => {
      const headers = sentHeaders(c)
      const bindings = bindingsOf(c)
      if (bindings !== undefined) bindings.route = route
      const start = () =>
        ({ name: operation.name, kind: 'request', attributes, parent: () => remoteSpan(headers) }) as const
      return traced(start, async (span) => {
        const request = requestInfo(c, headers, runtime.ids, options.trustedProxyHops)
        const known: Known = { principal: ANONYMOUS, authority: null }
        if (span === null) return withoutBody(c, await answer(c, headers, request, known))
        const traced = { ...request, traceId: span.traceId, traceparent: span.traceparent }
        const response = await withoutBody(c, await answer(c, headers, traced, known))
        span.set('http.response.status_code', response.status)
        const orgId = known.authority?.org?.id
        if (orgId !== undefined) span.set('plumbline.org.id', orgId)
        if (response.status >= 500) span.failed(String(response.status))
        return response
      })
    }
  }
}

/** The answer to HEAD says what GET would send, and what GET would send it from is closed: nobody reads it. */
async function withoutBody(c: Context, response: Response): Promise<Response> {
  if (c.req.raw.method === 'HEAD') await response.body?.cancel()
  return response
}

/** The rule with the limit of this server. */
function uploadRule(rule: UploadRule, settings: Settings): UploadRule {
  const bytesMax = Math.min(rule.bytesMax, rule.bytesMaxOf?.(settings) ?? rule.bytesMax)
  const arrivesMs = rule.arrivesMsOf?.(settings) ?? rule.arrivesMs
  return { part: rule.part, contentTypes: rule.contentTypes, bytesMax, arrivesMs }
}

/** @throws Error that names every place where the data is not what the operation declares. */
function checkResponse(operation: Query | AnyCommand, { data, status }: Outcome<unknown>): void {
  if (operation.output === null || (status ?? operation.http.status) === 204) return
  // What leaves is JSON: keys without a value are not in it.
  const sent = JSON.parse(JSON.stringify(data) ?? 'null') as unknown
  const found = problems(operation.output, sent, '/data')
  if (found.length > 0) {
    const places = found.map(({ path, message }) => `${path} ${message}`).join('; ')
    throw new Error(`${operation.name} answered what its output does not allow: ${places}`)
  }
}
