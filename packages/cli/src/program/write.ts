/** Writes with back-pressure, so that output for a slow reader does not fill the memory. */
import type { Writable } from 'node:stream'

/** Resolves when the stream can take more. Text for a destroyed stream is dropped. */
export function write(stream: Writable, text: string): Promise<void> {
  if (text === '' || stream.destroyed || stream.writableEnded) return Promise.resolve()
  if (stream.write(text)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, done)
      resolve()
    }
    for (const event of ['drain', 'close', 'error']) stream.on(event, done)
  })
}
