/**
 * A file as the body of an answer, made piece by piece while the client reads: nothing is produced ahead of it. An error
 * in the source breaks the connection off, so that nobody takes half a file for a whole one.
 */
import { Refusal } from '../errors.js'
import type { StreamEvent } from '../operation/operation.js'

export interface FileStreamOptions {
  readonly events: AsyncIterable<StreamEvent>
  /** Aborts what produces the pieces when the client goes. */
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
        // At the end as on the way: a drain of the process must not wait for a download that is over.
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
