/**
 * Which record an exemption names: a stored record by its id, or any record, stored or not, by its key. The key of a
 * pipeline is project and organization; the key of a plugin is name and version. A name alone is never enough, and `*`
 * means every version.
 */
import { ANY_VERSION, type EntityKey, entityKeyText } from '@plumbline/engine'
import Type from 'typebox'
import type { FieldIssue } from '../../runtime/errors.js'
import type { NamedEntity } from '../../runtime/inventory.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { nameWithLetter } from '../../runtime/operation/name.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import type { ExemptionRow } from '../tables.js'

const Part = (description: string) => nameWithLetter(255, description)
const Version = Type.String({
  minLength: 1,
  maxLength: 255,
  description: `Exactly this version; \`${ANY_VERSION}\` for every version, now and later`,
})

/** One schema for both targets, so that an error names the field instead of two alternative schemas. */
export const EntityKeyInput = strictObject(
  {
    project: Type.Optional(Part('Of a pipeline')),
    organization: Type.Optional(Part('Of a pipeline')),
    name: Type.Optional(Part('Of a plugin')),
    version: Type.Optional(Version),
  },
  { description: '`{project, organization}` of a pipeline, `{name, version}` of a plugin' },
)

export const EntityKeyRecord = Type.Unsafe<EntityKey>({
  type: 'object',
  properties: {
    project: { type: 'string' },
    organization: { type: 'string' },
    name: { type: 'string' },
    version: { type: 'string', description: `\`${ANY_VERSION}\` is every version` },
  },
  additionalProperties: false,
})

interface Naming {
  readonly entityType: 'plugin' | 'pipeline'
  readonly entityId?: string | undefined
  readonly entityKey?: Partial<Record<(typeof PARTS)['plugin' | 'pipeline'][number], string>> | undefined
}

const PARTS = { plugin: ['name', 'version'], pipeline: ['project', 'organization'] } as const

/** The key that the caller sent, for the given target; null when it is missing or incomplete. */
export function keySent({ entityType, entityKey }: Naming): EntityKey | null {
  if (entityKey === undefined) return null
  const { project, organization, name, version } = entityKey
  if (entityType === 'plugin') return name === undefined || version === undefined ? null : { name, version }
  return project === undefined || organization === undefined ? null : { project, organization }
}

/** Issues with how the request names the record. */
export function namingIssues(naming: Naming, at: string): FieldIssue[] {
  const { entityType, entityId, entityKey } = naming
  if ((entityId === undefined) === (entityKey === undefined)) {
    const message =
      entityId === undefined
        ? 'is required, or `entityKey`: an exemption is for one record, and a name does not identify one'
        : 'and `entityKey` are both set: send one of them'
    return [{ path: `${at}/entityId`, message, code: 'one_of' }]
  }
  if (entityKey === undefined) return []
  const wanted: readonly string[] = PARTS[entityType]
  const whole = `the key of a ${entityType} is {${wanted.join(', ')}}`
  return [
    ...wanted
      .filter((name) => !Object.hasOwn(entityKey, name))
      .map((name) => ({
        path: `${at}/entityKey/${name}`,
        message: name === 'version' ? `is required: ${whole}, and \`"*"\` is every version` : `is required: ${whole}`,
        code: 'required',
      })),
    ...Object.keys(entityKey)
      .filter((name) => !wanted.includes(name))
      .map((name) => ({
        path: `${at}/entityKey/${name}`,
        message: `is not of a ${entityType}: ${whole}`,
        code: 'unknown',
      })),
  ]
}

type NamedRow = Pick<ExemptionRow, 'orgId' | 'entityType' | 'entityId' | 'entityKey'>

/** The live records that these exemptions name. Null where no domain of this process owns such records. */
export async function recordsNamed(
  db: Db,
  { entities = [] }: Pick<Runtime, 'entities'>,
  orgId: string,
  rows: readonly NamedRow[],
): Promise<(row: NamedRow) => NamedEntity | null | undefined> {
  const found = new Map<string, Map<string, NamedEntity>>()
  for (const { target, find } of entities) {
    const own = rows.filter((row) => row.entityType === target && row.orgId === orgId)
    const ids = own.flatMap(({ entityId }) => (entityId === null ? [] : [entityId]))
    const keys = own.flatMap(({ entityKey }) => (entityKey === null ? [] : [entityKey]))
    const byName = new Map<string, NamedEntity>()
    for (const record of ids.length + keys.length === 0 ? [] : await find(db, orgId, { ids, keys })) {
      byName.set(record.id, record).set(entityKeyText(record.key), record)
      if ('name' in record.key) byName.set(entityKeyText({ ...record.key, version: ANY_VERSION }), record)
    }
    found.set(target, byName)
  }
  return (row) => {
    const byName = row.orgId === orgId ? found.get(row.entityType) : undefined
    if (byName === undefined) return undefined
    return byName.get(row.entityId ?? (row.entityKey === null ? '' : entityKeyText(row.entityKey))) ?? null
  }
}
