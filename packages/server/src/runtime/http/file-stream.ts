/**
 * A file as the body of an answer, produced piece by piece while the client reads; nothing is produced in advance. An
 * error of the source breaks the connection, so that the client does not take half a file for a whole one.
 */
import { Refusal } from '../errors.js'
import type { StreamEvent } from '../operation/operation.js'

export interface FileStreamOptions {
  readonly events: AsyncIterable<StreamEvent>
  /** Aborts what produces the pieces when the client disconnects. */
  readonly abort: AbortController
  readonly onError: (error: unknown) => void
}

const encoder = new TextEncoder()

export function fileStream({ events, abort, onError }: FileStreamOptions): ReadableStream<Uint8Array> {
  const source = events[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await source.next()
          if (!next.done) return controller.enqueue(encoder.encode(next.value.data as string))
          controller.close()
        } catch (error) {
          if (!(error instanceof Refusal)) onError(error)
          controller.error(error)
        }
        // Also aborted at the end: the shutdown drain must not wait for a download that is complete.
        abort.abort()
      },
      async cancel() {
        abort.abort()
        await source.return?.()
      },
    },
    { highWaterMark: 1 },
  )
}
