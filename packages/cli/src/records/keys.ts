/** Finds the record that a name on the command line stands for. */
import { NotDoneError, UsageError } from '../command.js'
import { UUID } from '../input/uuid.js'
import { printable } from '../program/printable.js'
import type { Session } from '../remote/session.js'
import { tenantOf } from '../remote/tenant.js'
import { everyRecord } from './pages.js'
import type { JsonObject, Resource } from './resource.js'

export type KeyValues = Readonly<Record<string, string>>

/**
 * @param description what the argument takes, where it is not what the key takes elsewhere.
 * @throws UsageError when the text is neither an id nor a name.
 */
export function readKey(
  { one, key }: Resource,
  text: string,
  description = key.argument.description,
): { id: string } | KeyValues {
  if (UUID.test(text)) return { id: text.toLowerCase() }
  const { fields, separator } = key
  const parts = fields.length === 1 ? [text] : text.split(separator)
  const isWhole = parts.length === fields.length || (key.isLastOptional === true && parts.length === fields.length - 1)
  if (!isWhole || parts.some((part) => part.trim() === '')) {
    const name = fields.join(separator)
    throw new UsageError(`\`${printable(text)}\` is neither the id of a ${one} nor ${name}`, `give its ${description}`)
  }
  return Object.fromEntries(parts.map((part, at) => [fields[at] ?? '', part]))
}

/** The name of a record as it is written: `web-shop/acme`. */
export const keyText = ({ key }: Resource, record: JsonObject): string =>
  key.fields.flatMap((field) => (record[field] === undefined ? [] : [String(record[field])])).join(key.separator)

/**
 * The id of a record, in the first of the kinds that has it. A record of the own organization wins.
 * @throws NotDoneError if there is none.
 */
export async function idOf(session: Session, kinds: readonly Resource[], text: string): Promise<string> {
  for (const resource of kinds) {
    const key = readKey(resource, text)
    if ('id' in key && key.id !== undefined) return key.id
    const found = await findRecord(session, resource, key as KeyValues)
    if (found !== null) return String(found.id)
  }
  const [first] = kinds
  throw new NotDoneError(
    `there is no ${first?.one ?? 'record'} \`${printable(text)}\``,
    ...kinds.slice(0, 1).map(({ name }) => `\`plumbline ${name} list\` shows what there is`),
  )
}

/**
 * The organization's own record with this key, or else one that is shared with it. If several have the key, the one
 * with `version` is preferred.
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

/** The default version, or else the newest. */
const best = (records: readonly JsonObject[]): JsonObject | null =>
  records.find(({ isDefault }) => isDefault === true) ?? records[0] ?? null

/** `Web-Shop` and `web_shop` are the same name for kinds that the server compares this way. */
export const loose = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
