/** A multipart body as a stream: text fields, then one file (RFC 7578). */
import { randomUUID } from 'node:crypto'

export interface FormFile {
  readonly part: string
  readonly name: string
  readonly contentType: string
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Null if it is known only after reading. */
  readonly bytes: number | null
}

export interface Form {
  readonly contentType: string
  readonly contentLength: number | null
  readonly body: ReadableStream<Uint8Array>
}

export function formOf(fields: Readonly<Record<string, string>>, file: FormFile): Form {
  const boundary = `plumbline-${randomUUID()}`
  const head = Object.entries(fields)
    .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
  const fileName = file.name.replaceAll(/[^\w.@+-]/g, '_')
  const before = Buffer.from(
    `${head}--${boundary}\r\ncontent-disposition: form-data; name="${file.part}"; filename="${fileName}"\r\n` +
      `content-type: ${file.contentType}\r\n\r\n`,
  )
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* parts() {
    yield new Uint8Array(before)
    yield* file.content
    yield new Uint8Array(after)
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: file.bytes === null ? null : before.length + file.bytes + after.length,
    body: streamOf(parts()),
  }
}

/** Produces one piece per request of the reader, so that a slow reader slows down the disk. */
function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
