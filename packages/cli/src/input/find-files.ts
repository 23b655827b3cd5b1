/**
 * Finds the files that a list of names stands for: files, folders (searched recursively) and globs.
 * INVARIANT: each file once, sorted within a name, names in the order given.
 */
import { extname, relative, resolve, sep } from 'node:path'
import picomatch from 'picomatch'
import type { Diagnostic } from './diagnostic.js'
import type { FileTree, StrayLink } from './file-tree.js'
import { formatOf } from './parse-text.js'
import { findRepositoryRoot } from './repository-root.js'

export interface FoundFiles {
  /** Absolute paths. */
  readonly files: readonly string[]
  /** Names without a glob that do not exist. */
  readonly missing: readonly string[]
  /** Folders and globs in which nothing was found. */
  readonly unmatched: readonly string[]
  /** Links that were not followed. */
  readonly strays: readonly StrayLink[]
}

export interface FindOptions {
  /** The folder that names are relative to. */
  readonly cwd: string
  /** Globs relative to `cwd`. They do not apply to files that are named directly. */
  readonly ignore?: readonly string[]
  /** Whether a file counts that was found in a folder or by a glob. By default files with a known extension do. */
  readonly accept?: (path: string) => boolean
  /**
   * The folder that links must not leave. By default it is the repository around `cwd`, or else `cwd`. For a named
   * folder outside of it, it is that folder itself.
   */
  readonly within?: string
}

export async function findFiles(tree: FileTree, names: readonly string[], options: FindOptions): Promise<FoundFiles> {
  const { cwd, ignore = [], accept = (path) => formatOf(path) !== null } = options
  const files = new Set<string>()
  const missing: string[] = []
  const unmatched: string[] = []
  const strays: StrayLink[] = []
  const bound = options.within ?? findRepositoryRoot(cwd) ?? cwd
  const ignored = ignore.length > 0 ? picomatch([...ignore], { dot: true }) : () => false
  const within = (path: string) => relative(cwd, path).split(sep).join('/')

  for (const name of names) {
    const path = resolve(cwd, name)
    const stray = isBelow(bound, path) ? await tree.strayLink(path, bound) : null
    if (stray?.leads === 'outside') {
      strays.push(stray)
      continue
    }
    const kind = await tree.kindOf(path)
    if (kind === 'file') {
      files.add(path)
      continue
    }
    const links: StrayLink[] = []
    const found =
      kind === 'folder'
        ? await tree.list(path, boundFor(path, bound), links)
        : await matchGlob(tree, name, { cwd, bound, strays: links })
    // A link without an extension may lead to a folder.
    strays.push(
      ...links.filter((link) => (accept(link.path) || extname(link.path) === '') && !ignored(within(link.path))),
    )
    if (found === null) {
      missing.push(name)
      continue
    }
    const accepted = found.filter((file) => accept(file) && !ignored(within(file)))
    if (accepted.length === 0) unmatched.push(name)
    for (const file of accepted) files.add(file)
  }
  return { files: [...files], missing, unmatched, strays }
}

const boundFor = (folder: string, bound: string): string => (isBelow(bound, folder) ? bound : folder)

/** A link that was not followed, as a problem of the files that a command reads. */
export const strayProblem = ({ path, leads }: StrayLink, cwd: string): Diagnostic => ({
  file: displayPath(cwd, path),
  message: `this ${strayText(leads)}`,
  fix:
    leads === 'unreadable' ? 'let this user read it, or leave it out' : 'put the file itself here, or remove the link',
})

/** What is said of it after its name. */
export function strayText(leads: StrayLink['leads']): string {
  if (leads === 'unreadable') return 'is a folder that cannot be read: what is in it was not read'
  return `is a link that leads ${leads === 'outside' ? 'out of the repository' : 'to nothing'}: it was not read`
}

const isBelow = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Null when the name is not a glob. */
async function matchGlob(
  tree: FileTree,
  pattern: string,
  { cwd, bound, strays }: { cwd: string; bound: string; strays: StrayLink[] },
): Promise<string[] | null> {
  const { base, glob, isGlob } = picomatch.scan(pattern.split(sep).join('/'))
  if (!isGlob) return null
  const folder = resolve(cwd, base)
  if ((await tree.kindOf(folder)) !== 'folder') return []
  const matches = picomatch(glob)
  const links: StrayLink[] = []
  const found = await tree.list(folder, boundFor(folder, bound), links)
  strays.push(...links.filter(({ path }) => matches(relative(folder, path).split(sep).join('/'))))
  return found.filter((file) => matches(relative(folder, file).split(sep).join('/')))
}

/** A path as shown to people: relative to the working folder, with forward slashes. */
export function displayPath(cwd: string, path: string): string {
  const name = relative(cwd, path).split(sep).join('/')
  return name === '' ? '.' : name
}
