/**
 * Reads the layers of images in a separate process, one image at a time, so that no layer can harm the server. After a
 * fault the next image gets a new process.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { type ReaderProgram, startReader } from '../start-reader.js'
import { type LayerContents, LayerFault } from './inspect.js'
import type { LayersAnswer, LayersRequest } from './reader-process.js'

export type ImageToRead = Omit<LayersRequest, 'id'> & {
  /** The bytes of a layer, as stored in the registry. */
  open(digest: string): AsyncIterable<Buffer>
}

export interface LayerReader {
  /** @throws LayerFault; whatever `open` throws; Error when the reader failed. */
  read(image: ImageToRead): Promise<LayerContents>
  close(): void
}

const HEAP_MIB = 256
const WALL_MS = 120_000
/** The time limit grows by one minute for this many bytes. */
const BYTES_A_MINUTE = 256 * 1024 ** 2

const PROGRAM: ReaderProgram = {
  built: new URL('./layer-reader.js', import.meta.url),
  source: new URL('./reader-process.ts', import.meta.url),
  heapMib: HEAP_MIB,
  hasInput: true,
}

/** @param wallMs time limit for an image of size 0, 2 minutes by default. */
export function createLayerReader({ wallMs = WALL_MS }: { readonly wallMs?: number } = {}): LayerReader {
  let child: ChildProcess | null = null
  let nextId = 0
  let turn: Promise<unknown> = Promise.resolve()

  function end(): void {
    child?.removeAllListeners()
    child?.kill('SIGKILL')
    child = null
  }

  async function read({ open, ...request }: ImageToRead): Promise<LayerContents> {
    child ??= startReader(PROGRAM)
    const reader = child
    const id = nextId++
    const bytes = request.layers.reduce((sum, { size }) => sum + size, 0)
    const fed = new AbortController()
    let timer: NodeJS.Timeout | undefined
    reader.channel?.ref()
    try {
      const answer = new Promise<LayersAnswer>((resolve, reject) => {
        const tooLong = () => reject(new LayerFault('validation', 'reading the layers of the image takes too long'))
        // guard: a-reader-of-layers-that-is-late
        timer = setTimeout(tooLong, wallMs + (bytes / BYTES_A_MINUTE) * 60_000)
        reader.on('message', (message: LayersAnswer) => {
          if (message.id === id) resolve(message)
        })
        reader.on('error', reject)
        reader.on('exit', (code, signal) => reject(endedBy(code, signal)))
        reader.send({ id, ...request } satisfies LayersRequest, (error) => {
          if (error !== null) reject(error)
        })
      })
      const feeding = feed(reader.stdin as Writable, request.layers, open, fed.signal)
      // The answer may come before the last byte was read; an error of the registry ends the request.
      const fedOrGone = feeding.then(
        () => answer,
        (error: unknown) => (isGone(error) ? answer : Promise.reject(error)),
      )
      const contents = contentsOf(await Promise.race([answer, fedOrGone]))
      await feeding
      return contents
    } catch (error) {
      end()
      throw error
    } finally {
      fed.abort()
      clearTimeout(timer)
      reader.removeAllListeners()
      reader.channel?.unref()
    }
  }

  return {
    read(image) {
      const mine = turn.then(() => read(image))
      turn = mine.catch(() => undefined)
      return mine
    },
    close: end,
  }
}

/** The process no longer reads its input: its exit tells why. */
const isGone = (error: unknown): boolean =>
  /^(?:EPIPE|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED|ABORT_ERR)$/.test(
    String((error as NodeJS.ErrnoException).code),
  )

/**
 * A process that runs out of its memory aborts, and the layers are treated as the cause. One that somebody else ended says
 * nothing about the image, which is read again later.
 */
const endedBy = (code: number | null, signal: NodeJS.Signals | null): Error =>
  signal === 'SIGKILL' || signal === 'SIGTERM' || signal === 'SIGINT'
    ? new Error(`the reader of layers was ended by ${signal}`)
    : new LayerFault(
        'validation',
        `the layers of the image exceed the limits of the reader (${signal ?? `exit ${code}`})`,
      )

function contentsOf({ contents, fault, error }: LayersAnswer): LayerContents {
  if (contents !== undefined) return contents
  if (fault !== undefined) throw new LayerFault(fault.category, fault.message)
  throw new Error(`the reader of layers failed: ${error}`)
}

/** Sends one layer after another, as fast as the process reads them. */
async function feed(
  input: Writable,
  layers: ImageToRead['layers'],
  open: ImageToRead['open'],
  signal: AbortSignal,
): Promise<void> {
  for (const { digest } of layers) {
    for await (const piece of open(digest)) {
      if (signal.aborted) return
      if (!input.write(piece)) await once(input, 'drain', { signal })
    }
  }
}

let shared: LayerReader | null = null

/** The shared reader of this process, started with the first image. */
export function layerReader(): LayerReader {
  shared ??= createLayerReader()
  return shared
}
