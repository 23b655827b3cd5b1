/**
 * Reads the layers of images in a process beside the server, one image at a time: whatever a layer does to its reader, the
 * server goes on. After a fault the next image gets a new process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type LayerContents, LayerFault } from './inspect.js'
import type { LayersAnswer, LayersRequest } from './reader-process.js'

export type ImageToRead = Omit<LayersRequest, 'id'> & {
  /** The bytes of a layer, as the registry has them. */
  open(digest: string): AsyncIterable<Buffer>
}

export interface LayerReader {
  /** @throws LayerFault; whatever `open` throws; Error when the reader failed. */
  read(image: ImageToRead): Promise<LayerContents>
  close(): void
}

const HEAP_MIB = 256
const WALL_MS = 120_000
/** Beside it, for each so many bytes. */
const BYTES_A_MINUTE = 256 * 1024 ** 2

/** Beside the bundle; sources that were not built are run as they are. */
const BUILT = fileURLToPath(new URL('./layer-reader.js', import.meta.url))
const SOURCE = fileURLToPath(new URL('./reader-process.ts', import.meta.url))

function startProcess(): ChildProcess {
  const isBuilt = existsSync(BUILT)
  const child = fork(isBuilt ? BUILT : SOURCE, [], {
    // Nothing of the server's environment: its settings hold secrets.
    // guard: the-environment-of-the-reader-of-layers
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...(isBuilt ? [] : ['--import', import.meta.resolve('tsx')])],
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  })
  // A server that ends does not wait for it.
  child.unref()
  child.channel?.unref()
  const input = child.stdin as (Writable & { unref?: () => void }) | null
  input?.unref?.()
  // What a reader that ended did not take is nobody's.
  input?.on('error', () => undefined)
  return child
}

/** @param wallMs for an image without a byte: 2 minutes unless said. */
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
    child ??= startProcess()
    const reader = child
    const id = nextId++
    const bytes = request.layers.reduce((sum, { size }) => sum + size, 0)
    const fed = new AbortController()
    let timer: NodeJS.Timeout | undefined
    reader.channel?.ref()
    try {
      const answer = new Promise<LayersAnswer>((resolve, reject) => {
        const tooLong = () => reject(new LayerFault('validation', 'the layers of the image take too long to read'))
        // guard: a-reader-of-layers-that-is-late
        timer = setTimeout(tooLong, wallMs + (bytes / BYTES_A_MINUTE) * 60_000)
        reader.on('message', (message: LayersAnswer) => {
          if (message.id === id) resolve(message)
        })
        reader.on('error', reject)
        // Out of memory: what a layer made of its reader is the layer's fault.
        reader.on('exit', () =>
          reject(new LayerFault('validation', 'the layers of the image cannot be read within their bounds')),
        )
        reader.send({ id, ...request } satisfies LayersRequest, (error) => {
          if (error !== null) reject(error)
        })
      })
      const feeding = feed(reader.stdin as Writable, request.layers, open, fed.signal)
      // The answer may come before the last byte is wanted; a registry that breaks off ends it.
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

/** The process does not read any more: its end says why. */
const isGone = (error: unknown): boolean =>
  /^(?:EPIPE|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED|ABORT_ERR)$/.test(
    String((error as NodeJS.ErrnoException).code),
  )

function contentsOf({ contents, fault, error }: LayersAnswer): LayerContents {
  if (contents !== undefined) return contents
  if (fault !== undefined) throw new LayerFault(fault.category, fault.message)
  throw new Error(`the reader of layers failed: ${error}`)
}

/** One layer behind the other, as fast as they are read. */
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

/** The reader of this process, started with its first image. */
export function layerReader(): LayerReader {
  shared ??= createLayerReader()
  return shared
}
