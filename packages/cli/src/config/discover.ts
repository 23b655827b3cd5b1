/**
 * Finds and reads the configuration file.
 * INVARIANT: a file that is found by searching is read as data. Code runs only if `--config` names it.
 */
import { dirname, join, parse, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../command.js'
import { type Diagnostic, refuseProblems } from '../input/diagnostic.js'
import type { FileTree } from '../input/file-tree.js'
import { displayPath } from '../input/find-files.js'
import type { Position } from '../input/position.js'
import { readDocuments } from '../input/read-documents.js'
import { checkRecord, isRecord } from '../input/record.js'
import { type ConfigName, configFields, configFileFields } from './fields.js'

export const configNames = ['plumbline.config.yaml', 'plumbline.config.yml', 'plumbline.config.json'] as const

export interface ConfigFile {
  /** Absolute path. */
  readonly path: string
  readonly file: string
  readonly values: Readonly<Partial<Record<ConfigName, unknown>>>
  readonly positionOf: (name: ConfigName) => Position | null
}

/**
 * @param named the value of `--config`. If it is null, the nearest file from `cwd` up to the root of the repository
 * counts. Outside a repository only `cwd` itself is searched.
 * @throws UsageError and InvalidFileError
 */
export async function findConfig(tree: FileTree, cwd: string, named: string | null): Promise<ConfigFile | null> {
  if (named !== null) {
    const path = resolve(cwd, named)
    const where = tree.ref === null ? '' : ` at ${tree.ref}`
    if ((await tree.kindOf(path)) !== 'file') throw new UsageError(`no such configuration file: ${named}${where}`)
    return path.endsWith('.mjs') ? readModule(tree, path, cwd) : readData(tree, path, cwd)
  }
  for (const folder of await foldersUpwards(tree, cwd)) {
    const found: string[] = []
    for (const name of configNames) {
      if ((await tree.kindOf(join(folder, name))) === 'file') found.push(join(folder, name))
    }
    if (found.length > 1) {
      const names = found.map((path) => displayPath(cwd, path)).join(' and ')
      throw new UsageError(`several configuration files: ${names}`, 'keep one, or name one with --config')
    }
    if (found[0] !== undefined) return readData(tree, found[0], cwd)
  }
  return null
}

/** The paths where `findConfig` looks, whether or not a file exists there. */
export async function configPlaces(tree: FileTree, cwd: string, named: string | null): Promise<string[]> {
  if (named !== null) return [resolve(cwd, named)]
  const folders = await foldersUpwards(tree, cwd)
  return folders.flatMap((folder) => configNames.map((name) => join(folder, name)))
}

async function foldersUpwards(tree: FileTree, cwd: string): Promise<string[]> {
  const folders = [cwd]
  for (let folder = cwd; folder !== parse(folder).root; folder = dirname(folder)) {
    if (folder !== cwd) folders.push(folder)
    // `.git` is a folder, and in a worktree a file.
    const isRoot = tree.root === null ? (await tree.kindOf(join(folder, '.git'))) !== null : folder === tree.root
    if (isRoot) return folders
  }
  return [cwd]
}

async function readData(tree: FileTree, path: string, cwd: string): Promise<ConfigFile> {
  const parsed = await readDocuments(tree, path, cwd)
  const problems: Diagnostic[] = [...parsed.problems]
  const [located, second] = parsed.documents
  if (second) {
    problems.push({
      file: second.file,
      position: second.positionOf([]),
      message: 'a configuration is one document',
      fix: 'remove the others',
    })
  }
  if (located) problems.push(...checkRecord(located, [], located.value, configFileFields))
  refuseProblems('configuration', problems)
  const value = located?.value
  return {
    path,
    file: displayPath(cwd, path),
    values: isRecord(value) ? value : {},
    positionOf: (name) => located?.positionOf([name]) ?? null,
  }
}

/** `export default { … }`, checked like a data file. */
async function readModule(tree: FileTree, path: string, cwd: string): Promise<ConfigFile> {
  const file = displayPath(cwd, path)
  if (tree.ref !== null) {
    throw new UsageError(`${file}: code is not run from a git ref`, 'use plumbline.config.yaml with --policy-from')
  }
  let exported: unknown
  try {
    exported = ((await import(pathToFileURL(path).href)) as { default?: unknown }).default
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const problems = checkRecord(withoutPositions(file, exported), [], exported, configFileFields)
  refuseProblems(
    'configuration',
    problems.map(({ position: _, ...problem }) => problem),
  )
  return { path, file, values: isRecord(exported) ? exported : {}, positionOf: () => null }
}

function withoutPositions(file: string, value: unknown) {
  const nowhere = { line: 1, column: 1 }
  return { file, ordinal: 0, value, positionOf: () => nowhere, endOf: () => nowhere, lineText: () => '' }
}

export const configFieldNames = Object.keys(configFields) as ConfigName[]
