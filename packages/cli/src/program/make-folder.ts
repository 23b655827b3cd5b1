/** Creates folders for the files that a command writes. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Creates folders one by one. With `recursive`, Node never returns if the system refuses, for example below /proc. */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolder(parent)
  try {
    await mkdir(path)
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true
}
