/** Answers with the file that an operation opens, or with the part of it that was asked for. */
import type { FileOperation } from '../operation/operation.js'
import { answerHeaders } from './envelope.js'
import type { Served } from './exchange.js'
import { type Call, type CheckedInput, scopeOf } from './execute.js'
import type { SentHeaders } from './sent-headers.js'
import { serveFile } from './serve-file.js'

export async function openFile(
  { operation, options }: Served<FileOperation>,
  call: Call,
  input: CheckedInput,
  headers: SentHeaders,
): Promise<Response> {
  const abort = new AbortController()
  const context = {
    ...call,
    lastEventId: null,
    signal: abort.signal,
    isFile: true,
    read: scopeOf(operation, call).read,
  }
  const served = await operation.open(context, input as never)
  const response = await serveFile(served, headers.get('if-range') === null ? headers.get('range') : null)
  for (const [name, value] of Object.entries(answerHeaders(options, call.request.requestId))) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}
