/** Lists the files of a folder for an archive, in an order that does not depend on the disk. */
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import picomatch from 'picomatch'
import { UsageError } from '../../command.js'

export interface FolderFile {
  /** Path relative to the folder, with forward slashes. */
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly isExecutable: boolean
}

export const SPEC_NAMES: readonly string[] = ['plugin-spec.yaml', 'plugin-spec.yml']

/** @throws UsageError for a link or another thing that is not a file, and for a folder without a specification. */
export async function listFolder(folder: string, exclude: readonly string[] = []): Promise<FolderFile[]> {
  const isExcluded = exclude.length === 0 ? () => false : picomatch([...exclude], { dot: true })
  const files: FolderFile[] = []
  const refused: string[] = []
  const visit = async (path: string, prefix: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const name = prefix + entry.name
      if (entry.name === '.git' || isExcluded(name) || isExcluded(`${name}/`)) continue
      const child = join(path, entry.name)
      if (entry.isDirectory()) await visit(child, `${name}/`)
      else if (entry.isFile()) files.push(await describe(name, child))
      else refused.push(`${name} is ${kindOf(entry)}`)
    }
  }
  await visit(folder, '')
  if (refused.length > 0) {
    throw new UsageError(
      'an archive can hold only files',
      'replace them by files, or leave them out with --exclude',
      refused,
    )
  }
  if (!files.some(({ name }) => SPEC_NAMES.includes(name))) {
    throw new UsageError(`\`${folder}\` has no plugin-spec.yaml`, 'name the folder that holds it')
  }
  return files.sort((left, right) => (left.name < right.name ? -1 : 1))
}

const kindOf = (entry: Dirent): string => (entry.isSymbolicLink() ? 'a link' : 'no file')

async function describe(name: string, path: string): Promise<FolderFile> {
  const { size, mode } = await lstat(path)
  return { name, path, bytes: size, isExecutable: (mode & 0o100) !== 0 }
}
