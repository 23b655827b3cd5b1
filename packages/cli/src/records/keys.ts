/** Finds the record that a name on the command line means. */
import { NotDoneError, UsageError } from '../command.js'
import type { Session } from '../remote/session.js'
import { tenantOf } from '../remote/tenant.js'
import { printable } from '../report/reporter.js'
import { everyRecord } from './pages.js'
import type { JsonObject, Resource } from './resource.js'

export type KeyValues = Readonly<Record<string, string>>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @throws UsageError when the text is neither an id nor a name. */
export function readKey({ one, key }: Resource, text: string): { id: string } | KeyValues {
  if (UUID.test(text)) return { id: text.toLowerCase() }
  const { fields, separator } = key
  const parts = fields.length === 1 ? [text] : text.split(separator)
  const isWhole = parts.length === fields.length || (key.isLastOptional === true && parts.length === fields.length - 1)
  if (!isWhole || parts.some((part) => part.trim() === '')) {
    throw new UsageError(`\`${printable(text)}\` names no ${one}`, `give ${key.argument.description}`)
  }
  return Object.fromEntries(parts.map((part, at) => [fields[at] ?? '', part]))
}

/** As a name is written: `web-shop/acme`. */
export const keyText = ({ key }: Resource, record: JsonObject): string =>
  key.fields.flatMap((field) => (record[field] === undefined ? [] : [String(record[field])])).join(key.separator)

/** The id of the record; its own organization's one first, of the first kind that has it. @throws NotDoneError when there is none. */
export async function idOf(session: Session, kinds: readonly Resource[], text: string): Promise<string> {
  for (const resource of kinds) {
    const key = readKey(resource, text)
    if ('id' in key && key.id !== undefined) return key.id
    const found = await findRecord(session, resource, key as KeyValues)
    if (found !== null) return String(found.id)
  }
  throw new NotDoneError(`there is no ${kinds[0]?.one ?? 'record'} \`${printable(text)}\``)
}

/**
 * The organization's own record with this key, else one that is shared with it. Of several with the key the one of `version`,
 * where there is one.
 */
export async function findRecord(
  session: Session,
  resource: Resource,
  values: KeyValues,
  { ownOrg, version }: { readonly ownOrg?: string; readonly version?: unknown } = {},
): Promise<JsonObject | null> {
  const { key, path, name, listKey = name } = resource
  const query: Record<string, string> = { isActive: 'all' }
  for (const [field, value] of Object.entries(values)) query[key.filters?.[field] ?? field] = value
  const same = key.isLoose === true ? loose : (text: unknown) => String(text)
  const found: JsonObject[] = []
  for await (const record of everyRecord(session, path, listKey, query)) {
    if (Object.entries(values).every(([field, value]) => same(record[field]) === same(value))) found.push(record)
  }
  if (ownOrg !== undefined) {
    const own = found.filter(({ orgId }) => orgId === ownOrg)
    return own.find((record) => version !== undefined && record.version === version) ?? best(own)
  }
  if (found.length <= 1) return found[0] ?? null
  const orgs = new Set(found.map(({ orgId }) => orgId))
  if (orgs.size === 1) return best(found)
  const own = session.isService ? null : (await tenantOf(session)).id
  return best(found.filter(({ orgId }) => orgId === own)) ?? best(found)
}

/** Of several versions the default one, else the newest. */
const best = (records: readonly JsonObject[]): JsonObject | null =>
  records.find(({ isDefault }) => isDefault === true) ?? records[0] ?? null

/** `Web-Shop` and `web_shop` are one name where the server compares that way. */
export const loose = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
