/**
 * The process that reads the layers of images. It gets the description of an image and the bytes of its layers, one
 * after another, and answers with the result. It has no environment variables, no database and no network code, and its
 * parent ends it.
 */
import type { Readable } from 'node:stream'
import { inspectLayers, type Layer, type LayerContents, LayerFault, type LayerLimits } from './inspect.js'
import type { Needle } from './needles.js'

export interface LayersRequest {
  readonly id: number
  readonly layers: readonly Layer[]
  readonly needles: readonly Needle[]
  readonly limits: LayerLimits
}

export interface LayersAnswer {
  readonly id: number
  readonly contents?: LayerContents
  readonly fault?: { readonly category: LayerFault['category']; readonly message: string }
  /** An unexpected error in this process: a bug, for the log. */
  readonly error?: string
}

const pieces = (process.stdin as Readable)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
let held: Buffer = Buffer.alloc(0)

/** Yields this many bytes; the bytes after them belong to the next layer. */
async function* take(bytes: number): AsyncGenerator<Buffer> {
  for (let left = bytes; left > 0; ) {
    if (held.length === 0) {
      const { done, value } = await pieces.next()
      if (done === true) return
      held = value
    }
    const piece = held.subarray(0, left)
    held = held.subarray(piece.length)
    left -= piece.length
    yield piece
  }
}

process.on('message', ({ id, layers, needles, limits }: LayersRequest) => {
  inspectLayers(layers, needles, limits, take)
    .then((contents): LayersAnswer => ({ id, contents }))
    .catch((error: unknown): LayersAnswer => {
      if (error instanceof LayerFault) return { id, fault: { category: error.category, message: error.message } }
      return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    })
    .then((answer) => process.send?.(answer))
})

process.on('disconnect', () => process.exit())
