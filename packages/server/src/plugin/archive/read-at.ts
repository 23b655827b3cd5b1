import { readSync } from 'node:fs'
import { fault } from './fault.js'

/** So many bytes from there. @throws ArchiveFault when the file ends before. */
export function readAt(fd: number, at: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const read = readSync(fd, buffer, done, length - done, at + done)
    if (read === 0) throw fault('truncated', 'the archive ends before its contents do')
    done += read
  }
  return buffer
}
