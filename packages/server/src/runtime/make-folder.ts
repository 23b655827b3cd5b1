/** The folders that a process needs before it can start. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it, for this user alone. One at a time: the recursive form of Node never ends where the file
 * system makes none, as below /proc.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  // What hinders the look hinders the making too, which says it.
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
