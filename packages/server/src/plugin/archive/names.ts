/**
 * Names of entries: a relative path of plain segments, with one spelling on every file system, and of one kind (a file,
 * or a folder of files). A name that two programs could read differently is refused.
 */
import { type ArchiveIssue, shown } from './fault.js'
import { DEPTH_MAX, NAME_BYTES_MAX, SEGMENT_BYTES_MAX } from './limits.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * @returns the name, or the issue with it. Only ASCII, or UTF-8 that is flagged as such: readers differ about other
 * encodings.
 */
export function decodeName(raw: Uint8Array, saysUtf8: boolean): string | ArchiveIssue {
  if (raw.length === 0) return { code: 'name', message: 'an entry has no name' }
  if (raw.length > NAME_BYTES_MAX) {
    return { code: 'name', message: `a name has ${raw.length} bytes, at most ${NAME_BYTES_MAX} are accepted` }
  }
  if (!saysUtf8 && raw.some((byte) => byte > 0x7f)) {
    return { code: 'name', message: 'a name has letters outside ASCII but is not marked as UTF-8' }
  }
  try {
    return utf8.decode(raw)
  } catch {
    return { code: 'name', message: 'a name is not UTF-8' }
  }
}

/** The issue with the path; null when it is valid. */
export function pathIssue(name: string): ArchiveIssue | null {
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(name)) {
    return { code: 'name', message: `${shown(name)} contains an invisible character` }
  }
  // guard: a-backslash
  if (name.includes('\\')) return { code: 'name', message: `${shown(name)} holds a backslash` }
  // guard: an-absolute-path
  if (name.startsWith('/')) return { code: 'absolute', message: `${shown(name)} is an absolute path` }
  if (/^[A-Za-z]:/.test(name)) return { code: 'absolute', message: `${shown(name)} begins with a drive` }
  const segments = withoutSlash(name).split('/')
  // guard: a-way-out
  if (segments.includes('..')) return { code: 'traversal', message: `${shown(name)} leads out of the archive` }
  if (segments.some((segment) => segment === '' || segment === '.')) {
    return { code: 'name', message: `${shown(name)} has a segment that is empty or a dot` }
  }
  if (segments.length > DEPTH_MAX)
    return { code: 'name', message: `${shown(name)} is deeper than ${DEPTH_MAX} folders` }
  if (segments.some((segment) => Buffer.byteLength(segment) > SEGMENT_BYTES_MAX)) {
    return { code: 'name', message: `${shown(name)} has a segment of more than ${SEGMENT_BYTES_MAX} bytes` }
  }
  if (segments.some((segment) => /[. ]$/.test(segment))) {
    return { code: 'name', message: `${shown(name)} has a segment that ends with a dot or a space` }
  }
  return null
}

const withoutSlash = (name: string): string => (name.endsWith('/') ? name.slice(0, -1) : name)

/**
 * Equal for names that some file system treats as the same: another case, or another composition of the same letters.
 */
export const foldName = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

/** Collects the names of an archive, in their order. */
export class NameBook {
  /** Folded path to its spelling and kind; includes folders that no entry names. */
  readonly #known = new Map<string, { readonly spelling: string; readonly isFolder: boolean; named: boolean }>()

  /** @returns the issue with this name compared with the names before it. */
  add(name: string): ArchiveIssue | null {
    const isFolder = name.endsWith('/')
    const segments = withoutSlash(name).split('/')
    for (let length = 1; length < segments.length; length++) {
      const issue = this.#enter(segments.slice(0, length).join('/'), true, false)
      if (issue !== null) return issue
    }
    return this.#enter(segments.join('/'), isFolder, true)
  }

  #enter(spelling: string, isFolder: boolean, named: boolean): ArchiveIssue | null {
    const key = foldName(spelling)
    const known = this.#known.get(key)
    if (known === undefined) {
      this.#known.set(key, { spelling, isFolder, named })
      return null
    }
    // guard: names-that-fall-together
    if (known.spelling !== spelling) {
      return {
        code: 'case_clash',
        message: `${shown(spelling)} and ${shown(known.spelling)} are the same file on systems that ignore case or Unicode composition`,
      }
    }
    if (known.isFolder !== isFolder) {
      return { code: 'duplicate', message: `${shown(spelling)} is both a file and a folder` }
    }
    // guard: a-name-twice
    if (named && known.named) return { code: 'duplicate', message: `${shown(spelling)} is there twice` }
    known.named ||= named
    return null
  }
}
