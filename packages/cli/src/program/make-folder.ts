/** Folders for what a command writes. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** `mkdir -p`, one folder at a time: the recursive form of Node never ends where the system refuses, as below /proc. */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolder(parent)
  try {
    await mkdir(path)
  } catch (error) {
    // Another process may have been faster.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true
}
