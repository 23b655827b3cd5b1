/**
 * What a record is called by where its id is not known: before it is stored, and in a repository. The server stores one
 * pipeline for a project and an organization, and one plugin for a name and a version, so a key names one record.
 *
 * INVARIANT: two keys are the same exactly where their texts are; server and command line compare by nothing else.
 */
import type { Attributes, EntityKey, Target } from '../types.js'
import { nameKey } from '../value/name.js'

/** In the place of a version: every version of the plugin. */
export const ANY_VERSION = '*'

/** What the server compares projects and organizations by: `My-App` and `my_app` are one project. */
export const looseName = (name: string): string => nameKey(name).replaceAll(/[^\p{L}\p{N}]+/gu, '_')

/** The key of a record that has these attributes; null where a part of it is missing. */
export const entityKeyOf = (target: Target, attributes: Attributes): EntityKey | null => {
  const text = (name: string): string | null => {
    // A getter may throw, and what it says need not be what a rule reads.
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

/** A text that is the same for all ways to write a key, and for no other key. */
export const entityKeyText = (key: EntityKey): string =>
  JSON.stringify(
    'project' in key
      ? ['pipeline', looseName(key.project), looseName(key.organization)]
      : ['plugin', key.name, key.version],
  )

/** The texts of all keys that an exemption of a record with this key may name. */
export const coveringKeyTexts = (key: EntityKey): readonly string[] =>
  'project' in key ? [entityKeyText(key)] : [entityKeyText(key), entityKeyText({ ...key, version: ANY_VERSION })]
