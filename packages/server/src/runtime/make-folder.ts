/** The folders that a process needs before it can start. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and the folders above it, for this user alone. It makes one at a time, because Node's recursive form
 * never ends where the file system refuses, as below /proc.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  // An error here also prevents the creation, which reports it.
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
