/** Names in the registry: which organization owns a repository, and how an image is addressed. Pure. */
import { invalidField } from '../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'

const ORG = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const OWN = new RegExp(`^org-(${ORG})/(${PART}(?:/${PART})*)$`)
const SYSTEM = new RegExp(`^system/${PART}(?:/${PART})*$`)
const NAME_CHARS_MAX = 255
const TAG = /^\w[\w.-]{0,127}$/
export const DIGEST = /^sha256:[0-9a-f]{64}$/

export interface Repository {
  readonly name: string
  readonly orgId: string
  /**
   * Whether other organizations may pull it: repositories of the system, and those that a parent shares with its teams.
   */
  readonly isShared: boolean
  /** The plugin name that the repository corresponds to; null if there cannot be one. */
  readonly pluginName: string | null
  /** The name of the plugin whose public versions are copied here; null if there cannot be one. */
  readonly publicName: string | null
}

/** Null for a name that is not ours: such a repository is not counted, shown or changed. */
export function repositoryOf(name: string): Repository | null {
  if (name.length > NAME_CHARS_MAX) return null
  if (SYSTEM.test(name)) {
    const publicName = onlyPart(name.split('/').slice(1))
    return { name, orgId: SYSTEM_ORG_ID, isShared: true, pluginName: null, publicName }
  }
  const [, orgId, rest = ''] = OWN.exec(name) ?? []
  if (orgId === undefined) return null
  const parts = rest.split('/')
  const [first, ...more] = parts
  const isShared = first === 'public' && more.length > 0
  return { name, orgId, isShared, pluginName: onlyPart(parts), publicName: isShared ? onlyPart(more) : null }
}

const onlyPart = ([part, ...more]: readonly string[]): string | null =>
  part === undefined || more.length > 0 ? null : part

/** @throws Refusal 400 */
export function checkedRepository(name: string, path: string): Repository {
  const repository = repositoryOf(name)
  if (repository !== null) return repository
  throw invalidField(path, 'is not a repository: write org-<id>/<name> or system/<name>, in lower case', 'repository')
}

/** @throws Refusal 400 for what is neither a tag nor a digest. */
export function checkReference(reference: string, path: string): void {
  if (DIGEST.test(reference) || TAG.test(reference)) return
  throw invalidField(path, 'is neither a tag nor a digest (`sha256:` and 64 digits)', 'reference')
}

export interface Named {
  readonly repository: Repository
  readonly reference: string
  /** The text as the caller wrote it. */
  readonly text: string
}

/** `<repository>:<tag>` or `<repository>@<digest>`. @throws Refusal 400 */
export function namedImage(text: string, path: string): Named {
  const at = text.includes('@') ? text.indexOf('@') : text.lastIndexOf(':')
  if (at < 0) throw invalidField(path, 'has no tag: write <repository>:<tag> or <repository>@<digest>', 'reference')
  const reference = text.slice(at + 1)
  checkReference(reference, path)
  return { repository: checkedRepository(text.slice(0, at), path), reference, text }
}
