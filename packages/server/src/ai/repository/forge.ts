/** What is read from a repository, on any forge. All its text is written by other people and untrusted. */
import type { RepositoryAddress } from './address.js'
import type { ForgeRequests } from './requests.js'

export interface About {
  readonly defaultBranch: string
  readonly description: string | null
  /** The SPDX identifier that the forge reports; null if there is none. */
  readonly licence: string | null
}

export interface TreeFile {
  readonly path: string
  /** The id by which the forge returns the content. */
  readonly id: string
  /** In bytes; null if the forge does not report it. */
  readonly size: number | null
}

export interface Tree {
  /** Files only: no symbolic links and no submodules. */
  readonly files: readonly TreeFile[]
  /** Whether the repository has more files than were listed. */
  readonly isCut: boolean
  /** The total number of files, if the forge reports it. */
  readonly total: number | null
}

export interface Reading {
  readonly address: RepositoryAddress
  readonly requests: ForgeRequests
  readonly hasToken: boolean
}

/** The API of one forge. */
export interface ForgeWire {
  /** @throws Refusal when the repository is missing, private, moved or empty. */
  about(reading: Reading): Promise<About>
  /** @param ref a branch, a tag or a commit. @throws Refusal when the ref does not exist. */
  tree(reading: Reading, ref: string): Promise<Tree>
  /** The bytes of a file; null if the forge does not return them. */
  file(reading: Reading, ref: string, file: TreeFile): Promise<Buffer | null>
}

export const FILES_MAX = 5000
export const FILE_BYTES_MAX = 65_536
/** Room for a file in base64 within JSON, with line breaks. */
export const ANSWER_BYTES_MAX = FILE_BYTES_MAX * 2

/** A licence in SPDX notation; any other text gives null. */
export const spdx = (text: unknown): string | null =>
  typeof text === 'string' && /^[A-Za-z0-9.+-]{1,64}$/.test(text) && text !== 'NOASSERTION' ? text : null

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The entries of a list, without values of other types. */
export const entriesOf = <T extends object>(list: unknown): T[] =>
  Array.isArray(list) ? list.filter((each): each is T => typeof each === 'object' && each !== null) : []

/** A ref in a path: encodes its parts and keeps the slashes. */
export const refPath = (ref: string): string => ref.split('/').map(encodeURIComponent).join('/')
