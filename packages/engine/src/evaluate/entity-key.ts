/**
 * The key of a record, which identifies it when its id is not known: before it is stored, and in a repository.
 *
 * The server stores one pipeline for a project and an organization, and one plugin for a name and a version. So a key
 * identifies one record. INVARIANT: two keys are equal exactly when their texts are equal. The server and the command
 * line compare keys only by these texts.
 */
import type { Attributes, EntityKey, Target } from '../types.js'
import { nameKey } from '../value/name.js'

/** Used instead of a version in an exemption: every version of the plugin. */
export const ANY_VERSION = '*'

/** The form in which the server compares names of projects and organizations: `My-App` and `my_app` are one project. */
export const looseName = (name: string): string => nameKey(name).replaceAll(/[^\p{L}\p{N}]+/gu, '_')

/** Returns the key of a record with these attributes, or null when a part of the key is missing or empty. */
export const entityKeyOf = (target: Target, attributes: Attributes): EntityKey | null => {
  const text = (name: string): string | null => {
    // Reads the data property only. A getter may throw, and may return another value than the one that a rule reads.
    const value: unknown = Object.getOwnPropertyDescriptor(attributes, name)?.value
    return typeof value === 'string' && value.trim() !== '' ? value : null
  }
  if (target === 'plugin') {
    const [name, version] = [text('name'), text('version')]
    return name === null || version === null ? null : { name, version }
  }
  const [project, organization] = [text('project'), text('organization')]
  return project === null || organization === null ? null : { project, organization }
}

/** Returns a text that is equal for all spellings of a key, and for no other key. */
export const entityKeyText = (key: EntityKey): string =>
  JSON.stringify(
    'project' in key
      ? ['pipeline', looseName(key.project), looseName(key.organization)]
      : ['plugin', key.name, key.version],
  )

/** Returns the texts of all keys by which an exemption can cover a record with this key. */
export const coveringKeyTexts = (key: EntityKey): readonly string[] =>
  'project' in key ? [entityKeyText(key)] : [entityKeyText(key), entityKeyText({ ...key, version: ANY_VERSION })]
