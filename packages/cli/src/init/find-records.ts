/**
 * Finds the plugins and pipelines of a repository, so that its configuration names them instead of an example.
 * INVARIANT: only names are returned that surely lead to plugins and pipelines, and together they cover every such
 * file.
 */
import { relative, sep } from 'node:path'
import type { Target } from '@plumbline/engine'
import { diskTree } from '../input/file-tree.js'
import { formatOf } from '../input/parse-text.js'
import { UnreadableError } from '../input/read-bytes.js'
import { readDocuments } from '../input/read-documents.js'
import { isRecord } from '../input/record.js'
import { recognisedTarget } from '../input/target.js'

export interface FoundRecords {
  /** Folders and files for `files`, relative to the folder, with forward slashes. */
  readonly names: readonly string[]
  readonly plugins: number
  readonly pipelines: number
}

/** Generated files of other tools are larger than any plugin that people write. */
const FILE_BYTES_MAX = 1024 * 1024
const FILES_MAX = 20_000

export async function findRecords(folder: string, isOurs: (file: string) => boolean): Promise<FoundRecords> {
  const files = (await diskTree.kindOf(folder)) === 'folder' ? await diskTree.list(folder, folder) : []
  const documents = files.filter((file) => formatOf(file) !== null).slice(0, FILES_MAX)
  const found: { name: string; targets: readonly Target[] }[] = []
  const others: string[] = []
  for (const path of documents) {
    const name = relative(folder, path).split(sep).join('/')
    if (isOurs(name)) continue
    const targets = await targetsIn(path, folder)
    if (targets.length > 0) found.push({ name, targets })
    else others.push(name)
  }
  const targets = found.flatMap((each) => each.targets)
  return {
    names: namesFor(
      found.map(({ name }) => name),
      others,
    ),
    plugins: targets.filter((target) => target === 'plugin').length,
    pipelines: targets.filter((target) => target === 'pipeline').length,
  }
}

async function targetsIn(path: string, cwd: string): Promise<Target[]> {
  try {
    const text = await diskTree.readText(path, FILE_BYTES_MAX)
    if (text.trim() === '') return []
    const { documents, problems } = await readDocuments(diskTree, path, cwd)
    if (problems.length > 0) return []
    return documents.flatMap(({ value }) => candidates(value).flatMap((each) => recognisedTarget(each) ?? []))
  } catch (error) {
    if (error instanceof UnreadableError) return []
    throw error
  }
}

/** One object, a list of them, or `{plugins: […], pipelines: […]}`. */
function candidates(value: unknown): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.filter(isRecord)
  if (!isRecord(value)) return []
  const lists = [value.plugins, value.pipelines].filter(Array.isArray)
  return lists.length > 0 ? lists.flat().filter(isRecord) : [value]
}

/** For each file the highest folder that holds nothing else, or the file itself if there is no such folder. */
function namesFor(found: readonly string[], others: readonly string[]): string[] {
  const isPure = (folder: string) => !others.some((name) => name.startsWith(`${folder}/`))
  const names = found.map((name) => {
    const steps = name.split('/').slice(0, -1)
    const folders = steps.map((_, at) => steps.slice(0, at + 1).join('/'))
    return folders.find(isPure) ?? name
  })
  return [...new Set(names)].sort()
}
