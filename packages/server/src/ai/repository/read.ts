/**
 * Reads what a draft needs of a repository, within limits: its facts, its file names, and the content of known files.
 *
 * INVARIANT: no symbolic link, submodule or LFS pointer is followed, and nothing is read beyond the limits of this
 * file.
 */
import type { RepositoryAddress } from './address.js'
import { bitbucket } from './bitbucket.js'
import {
  type About,
  FILE_BYTES_MAX,
  FILES_MAX,
  type ForgeWire,
  type Reading,
  type Tree,
  type TreeFile,
} from './forge.js'
import { github } from './github.js'
import { gitlab } from './gitlab.js'
import type { Forge } from './hosts.js'
import { knownFiles } from './known.js'
import { emptyRepository, tooManyFiles } from './refused.js'
import { requestsTo, type Way } from './requests.js'

const WIRES: Readonly<Record<Forge, ForgeWire>> = { github, gitlab, bitbucket }

const READ_MAX = 40
const BYTES_MAX = 512 * 1024
/** The number of files that are read in parallel. */
const TOGETHER = 4

export interface RepositoryFile {
  readonly name: string
  readonly text: string
}

export interface Repository {
  readonly address: RepositoryAddress
  readonly about: About
  readonly ref: string
  readonly paths: readonly string[]
  readonly files: readonly RepositoryFile[]
  /** Whether part of the repository was not read. */
  readonly isCut: boolean
}

export interface Opened {
  readonly reading: Reading
  readonly about: About
  readonly ref: string
  readonly tree: Tree
}

/** The first half: finds out whether there is something to read. @throws Refusal when there is not. */
export async function openRepository(address: RepositoryAddress, asked: string | undefined, way: Way): Promise<Opened> {
  const wire = WIRES[address.at.forge]
  const reading: Reading = { address, requests: requestsTo(address.at, way), hasToken: way.token !== null }
  const about = await wire.about(reading)
  const ref = asked ?? about.defaultBranch
  const tree = await wire.tree(reading, ref)
  // guard: the-tree-of-a-repository-is-bounded
  if (tree.files.length > FILES_MAX || (tree.total ?? 0) > FILES_MAX)
    throw tooManyFiles(tree.total ?? tree.files.length)
  if (tree.files.length === 0) throw emptyRepository()
  return { reading, about, ref, tree }
}

/** The second half. Files that are missing or do not arrive in time are left out. */
export async function readRepository({ reading, about, ref, tree }: Opened, signal: AbortSignal): Promise<Repository> {
  const wanted = knownFiles(tree.files).slice(0, READ_MAX)
  const files: RepositoryFile[] = []
  let [bytes, isCut] = [0, tree.isCut]
  for (let at = 0; at < wanted.length; at += TOGETHER) {
    const some = wanted.slice(at, at + Math.min(TOGETHER, reading.requests.left))
    if (some.length === 0 || bytes >= BYTES_MAX) {
      isCut = true
      break
    }
    const texts = await Promise.all(some.map((file) => textOf(reading, ref, file)))
    // A disconnected client must not look like a missing file.
    signal.throwIfAborted()
    for (const [n, text] of texts.entries()) {
      const { path } = some[n] as TreeFile
      const size = text === null ? 0 : Buffer.byteLength(text)
      // guard: the-files-of-a-repository-are-bounded
      if (text === null || bytes + size > BYTES_MAX) isCut = true
      else files.push({ name: path, text })
      bytes += size
    }
  }
  return { address: reading.address, about, ref, paths: tree.files.map(({ path }) => path), files, isCut }
}

const LFS = 'version https://git-lfs.github.com/spec/'

/** Null for a file that is too large, not text, or an LFS pointer. */
async function textOf(reading: Reading, ref: string, file: TreeFile): Promise<string | null> {
  if ((file.size ?? 0) > FILE_BYTES_MAX) return null
  let bytes: Buffer | null
  try {
    bytes = await WIRES[reading.address.at.forge].file(reading, ref, file)
  } catch {
    return null
  }
  // guard: a-file-of-a-repository-is-bounded
  if (bytes === null || bytes.byteLength > FILE_BYTES_MAX) return null
  const text = bytes.toString('utf8')
  return text.startsWith(LFS) || text.includes('\u0000') ? null : text
}
