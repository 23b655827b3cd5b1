import { readSync } from 'node:fs'
import { RandomAccessReader } from 'yauzl'

/**
 * Reads synchronously. An invalid offset is passed to the callback as an error, instead of thrown where nothing catches
 * it.
 */
export class FdReader extends RandomAccessReader {
  readonly #fd: number

  constructor(fd: number) {
    super()
    this.#fd = fd
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    let bytes = 0
    try {
      if (!Number.isSafeInteger(position) || position < 0) throw new Error('it points beyond all files')
      while (bytes < length) {
        const read = readSync(this.#fd, buffer, offset + bytes, length - bytes, position + bytes)
        if (read === 0) throw new Error('it ends early')
        bytes += read
      }
    } catch (error) {
      callback(error as Error)
      return
    }
    callback(null, bytes)
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null)
  }
}
