/** Answers with events as they occur, or with a file that is produced while it is sent. */
import { Refusal } from '../errors.js'
import type { StreamContext } from '../operation/context.js'
import type { Stream } from '../operation/operation.js'
import { answerHeaders, asRefusal } from './envelope.js'
import { EVENT_STREAM_HEADERS, eventStream } from './event-stream.js'
import type { Served } from './exchange.js'
import { type Call, type CheckedInput, scopeOf, writerOf } from './execute.js'
import { fileStream } from './file-stream.js'
import type { SentHeaders } from './sent-headers.js'
import { whileAdmitted } from './still-admitted.js'

type Events = Awaited<ReturnType<Stream['open']>>

export async function openStream(
  served: Served<Stream>,
  call: Call,
  input: CheckedInput,
  headers: SentHeaders,
  gone: AbortSignal,
): Promise<Response> {
  const { operation, options, slots } = served
  const abort = new AbortController()
  const free = slots.take(call.principal, call.authority.org?.id ?? null)
  abort.signal.addEventListener('abort', free, { once: true })
  // A client that disconnected before the answer began reads nothing, so nothing else would end the stream.
  gone.addEventListener('abort', () => abort.abort(), { signal: abort.signal })
  const file = chosenFile(operation, input, headers)
  options.drain?.addEventListener('abort', () => abort.abort(), { signal: abort.signal })
  const streamed = {
    ...call,
    lastEventId: headers.get('last-event-id')?.slice(0, 200) ?? null,
    signal: abort.signal,
    isFile: file !== null,
    read: scopeOf(operation, call).read,
    write: writes(operation, call),
  }
  let events: Events
  try {
    events = await operation.open(streamed, input as never)
  } catch (error) {
    // A stream that never began must not keep listening for the end of the process.
    abort.abort()
    throw error
  }
  if (file === null) return eventsResponse(served, call, events, abort)
  return fileResponse(served, call, file, whileAdmitted(served, call, headers, events), abort)
}

function writes(operation: Stream, call: Call): StreamContext['write'] {
  const { audit } = operation
  if (audit !== undefined) return writerOf({ ...operation, audit }, call, scopeOf(operation, call))
  return async () => {
    // guard: a-stream-without-evidence-writes-nothing
    throw new Error(`${operation.name} writes and does not say \`audit\``)
  }
}

/** The file that this stream is sent as, when the client asked for one; null for events. */
function chosenFile({ download }: Stream, input: CheckedInput, headers: SentHeaders) {
  const accepts = (media: string) =>
    (headers.get('accept') ?? '').split(',').some((each) => each.split(';')[0]?.trim().toLowerCase() === media)
  return download !== undefined && 'choose' in download
    ? download.choose(input as never, { accepts })
    : (download ?? null)
}

type ChosenFile = NonNullable<ReturnType<typeof chosenFile>>

function fileResponse(
  { options }: Served,
  { authority: { org }, request: { requestId } }: Call,
  file: ChosenFile,
  events: Events,
  abort: AbortController,
): Response {
  const fileName = (org !== null && file.nameFor?.(org)) || file.fileName
  return new Response(fileStream({ events, abort, onError: (error) => options.onError(error, requestId) }), {
    headers: {
      ...answerHeaders(options, requestId),
      'content-type': file.media,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    },
  })
}

function eventsResponse(
  { options, operation }: Served<Stream>,
  { request: { requestId } }: Call,
  events: Events,
  abort: AbortController,
): Response {
  const body = eventStream({
    events,
    abort,
    ...(operation.lastData === undefined ? {} : { lastData: operation.lastData }),
    errorEvent: (error) => {
      if (!(error instanceof Refusal)) options.onError(error, requestId)
      const { code, message } = asRefusal(error)
      return { event: 'error', data: { type: 'error', code, message, requestId } }
    },
  })
  return new Response(body, { headers: { ...answerHeaders(options, requestId), ...EVENT_STREAM_HEADERS } })
}
