import { readSync } from 'node:fs'
import { fault } from './fault.js'

/** Reads `length` bytes at an offset. @throws ArchiveFault when the file ends earlier. */
export function readAt(fd: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const read = readSync(fd, buffer, done, length - done, at + done)
    if (read === 0) throw fault('truncated', 'the archive is truncated')
    done += read
  }
  return buffer
}
