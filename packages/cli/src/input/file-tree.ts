/**
 * Files on disk or at a git commit, behind one interface, so that commands do not have to distinguish them.
 * INVARIANT: paths are absolute and name the same file in every tree of one repository.
 */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../command.js'
import { gitPath, listFilesAt, readFilesAt, repositoryRoot, resolveCommit } from './git.js'
import { decodeText, fileBytesMax, readFileText, refuseSize, UnreadableError } from './read-bytes.js'

export interface FileTree {
  /** Null for the disk, otherwise the ref as it was given. */
  readonly ref: string | null
  /** The hash of the commit that `ref` names. */
  readonly commit: string | null
  /** The root folder of the repository; null for the disk, which has no root. */
  readonly root: string | null
  kindOf(path: string): Promise<'file' | 'folder' | null>
  /** Throws `UnreadableError`. */
  readText(path: string, bytesMax?: number): Promise<string>
  /**
   * Every file below a folder, sorted by path; `.git`, `node_modules` and hidden entries are left out.
   * With `within`, links that lead out of that folder or to nothing are not followed, but added to `strays`.
   */
  list(folder: string, within?: string | null, strays?: StrayLink[]): Promise<string[]>
  /** Describes a link that must not be followed; null for everything else. */
  strayLink(path: string, within: string): Promise<StrayLink | null>
}

/** A link that must not be followed, as it would expose files outside of the checked folder, or an unreadable folder. */
export interface StrayLink {
  readonly path: string
  readonly leads: 'outside' | 'nowhere' | 'unreadable'
}

const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules'

export const diskTree: FileTree = {
  ref: null,
  commit: null,
  root: null,
  async kindOf(path) {
    try {
      const found = await stat(path)
      return found.isDirectory() ? 'folder' : 'file'
    } catch {
      return null
    }
  },
  readText: async (path, bytesMax) => readFileText(path, bytesMax),
  async strayLink(path, within) {
    const end = await realpath(within)
    const real = await realpath(path).catch(() => null)
    if (real === null) return { path, leads: 'nowhere' }
    return real === end || real.startsWith(end.endsWith(sep) ? end : end + sep) ? null : { path, leads: 'outside' }
  },
  async list(folder, within = null, strays = []) {
    const files: string[] = []
    const seen = new Set<string>()
    const visit = async (path: string): Promise<void> => {
      let entries: Dirent[]
      try {
        // Links may lead back up; each real folder is visited once.
        const real = await realpath(path)
        if (seen.has(real)) return
        seen.add(real)
        entries = await readdir(path, { withFileTypes: true })
      } catch {
        strays.push({ path, leads: 'unreadable' })
        return
      }
      for (const entry of entries) {
        if (isSkipped(entry.name)) continue
        const child = join(path, entry.name)
        const stray = entry.isSymbolicLink() && within !== null ? await diskTree.strayLink(child, within) : null
        if (stray !== null) {
          strays.push(stray)
          continue
        }
        const kind = await kindOfEntry(entry, child)
        if (kind === 'folder') await visit(child)
        else if (kind === 'file') files.push(child)
      }
    }
    await visit(folder)
    return files.sort()
  },
}

async function kindOfEntry(entry: Dirent, path: string): Promise<'file' | 'folder' | null> {
  if (entry.isSymbolicLink()) return diskTree.kindOf(path)
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : null
}

/** The tree of the repository around `cwd` at a ref. */
export async function gitTree(cwd: string, ref: string): Promise<FileTree> {
  const commit = await resolveCommit(cwd, ref)
  const found = await repositoryRoot(cwd)
  if (found === null) throw new UsageError('this folder is not in a git repository')
  const root = await rootAsSeenFrom(cwd, found)
  const names = await listFilesAt(root, commit)
  const files = new Set(names.map((name) => resolve(root, name)))
  const below = (folder: string) => (folder.endsWith(sep) ? folder : folder + sep)
  const texts = new Map<string, Buffer | null>()

  return {
    ref,
    commit,
    root,
    async kindOf(path) {
      if (files.has(path)) return 'file'
      if (path === root) return 'folder'
      for (const file of files) if (file.startsWith(below(path))) return 'folder'
      return null
    },
    async readText(path, bytesMax = fileBytesMax) {
      if (!texts.has(path)) texts.set(path, (await readFilesAt(root, commit, [gitPath(root, path)]))[0] ?? null)
      const bytes = texts.get(path)
      if (!bytes) throw new UnreadableError(`the file does not exist at ${ref}`, 'check the path and the ref')
      refuseSize(bytes.length, bytesMax)
      return decodeText(bytes)
    },
    // At a commit a link is a file that holds a path, and it is never followed.
    strayLink: async () => null,
    async list(folder) {
      const found = [...files].filter((file) => {
        if (!file.startsWith(below(folder)) && folder !== root) return false
        return !relative(folder, file).split(sep).some(isSkipped)
      })
      // One run of git reads the whole folder. A run per file would cost milliseconds each.
      const wanted = found.filter((file) => /\.(ya?ml|json|ndjson|jsonl)$/i.test(file) && !texts.has(file))
      const contents = await readFilesAt(
        root,
        commit,
        wanted.map((file) => gitPath(root, file)),
      )
      for (const [index, file] of wanted.entries()) texts.set(file, contents[index] ?? null)
      return found.sort()
    },
  }
}

/** git resolves links in its answer. This run keeps the spelling of `cwd` in its paths. */
async function rootAsSeenFrom(cwd: string, root: string): Promise<string> {
  const real = await realpath(cwd)
  return resolve(cwd, relative(real, root))
}
