/**
 * Reads the layers of images in a separate process, one image at a time, so that no layer can harm the server. After a
 * fault the next image gets a new process.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { askReader, createReaderChild, isGone } from '../reader-child.js'
import type { ReaderProgram } from '../start-reader.js'
import { countdown, unhurried } from './countdown.js'
import { type LayerContents, LayerFault } from './inspect.js'
import type { LayersAnswer, LayersRequest } from './reader-process.js'

export type ImageToRead = Omit<LayersRequest, 'id'> & {
  /** The bytes of a layer, as stored in the registry. */
  open(digest: string): AsyncIterable<Buffer>
}

export interface LayerReader {
  /** @throws LayerFault; whatever `open` throws; ReaderEnded; Error when the reader failed. */
  read(image: ImageToRead): Promise<LayerContents>
  close(): void
}

const HEAP_MIB = 256
const WALL_MS = 120_000
/** The time limit grows by one minute for this many bytes. Waiting for the registry does not count: it has its own. */
const BYTES_A_MINUTE = 256 * 1024 ** 2

const PROGRAM: ReaderProgram = {
  built: new URL('./layer-reader.js', import.meta.url),
  source: new URL('./reader-process.ts', import.meta.url),
  heapMib: HEAP_MIB,
  hasInput: true,
}

/** @param wallMs time limit for an image of size 0, 2 minutes by default. */
export function createLayerReader({ wallMs = WALL_MS }: { readonly wallMs?: number } = {}): LayerReader {
  const child = createReaderChild(PROGRAM)
  let nextId = 0
  let turn: Promise<unknown> = Promise.resolve()

  async function read({ open, ...request }: ImageToRead): Promise<LayerContents> {
    const { reader } = child.take()
    const asked: LayersRequest = { id: nextId++, ...request }
    const bytes = request.layers.reduce((sum, { size }) => sum + size, 0)
    const fed = new AbortController()
    let isLate: () => void = () => undefined
    const clock = countdown(wallMs + (bytes / BYTES_A_MINUTE) * 60_000, () => isLate())
    reader.channel?.ref()
    try {
      const answer = new Promise<LayersAnswer>((resolve, reject) => {
        // guard: a-reader-of-layers-that-is-late
        isLate = () => reject(new LayerFault('validation', 'reading the layers of the image takes too long'))
        askReader<LayersAnswer>(reader, asked, overLimits).then(resolve, reject)
      })
      const patient = (digest: string) => unhurried(open(digest), clock)
      const feeding = feed(reader.stdin as Writable, request.layers, patient, fed.signal)
      // The answer may come before the last byte was read; an error of the registry ends the request.
      const fedOrGone = feeding.then(
        () => answer,
        (error: unknown) => (isGone(error) ? answer : Promise.reject(error)),
      )
      const contents = contentsOf(await Promise.race([answer, fedOrGone]))
      await feeding
      return contents
    } catch (error) {
      child.end()
      throw error
    } finally {
      fed.abort()
      clock.end()
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
    close: child.end,
  }
}

const overLimits = (how: string): LayerFault =>
  new LayerFault('validation', `the layers of the image exceed the limits of the reader (${how})`)

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
