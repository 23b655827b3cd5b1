/** A folder of files for one test, and the command line in it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Outcome, runCli, type World } from './memory-io.js'

export interface Folder {
  readonly path: string
  write(name: string, text: string): Promise<void>
  read(name: string): Promise<string>
  run(argv: readonly string[], world?: World): Promise<Outcome>
  remove(): Promise<void>
}

export async function createFolder(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'plumbline-'))
  const folder: Folder = {
    path,
    write: async (name, text) => {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), text)
    },
    read: (name) => readFile(join(path, name), 'utf8'),
    run: (argv, world = {}) => runCli(argv, { cwd: path, ...world }),
    remove: () => rm(path, { recursive: true, force: true }),
  }
  for (const [name, text] of Object.entries(files)) await folder.write(name, text)
  return folder
}
