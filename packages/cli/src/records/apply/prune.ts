/**
 * Deletes records that have the labels of the selector and no document any more. Without a selector nothing is ever
 * deleted. Every document must have these labels, or the next run would delete what this one created.
 */
import { UsageError } from '../../command.js'
import { keyText, loose } from '../keys.js'
import { everyRecord } from '../pages.js'
import type { JsonObject } from '../resource.js'
import type { Outcome, Place } from './apply-one.js'
import type { ApplyDocument } from './documents.js'
import { type Kind, kinds } from './kinds.js'

export type Selector = readonly (readonly [string, string])[]

const matches = (labels: unknown, selector: Selector): boolean =>
  selector.every(([name, value]) => String((labels as JsonObject | null | undefined)?.[name]) === value)

/** Rules have no labels, so they are never deleted here. */
const isLabelled = ({ fields }: Kind): boolean => fields.includes('labels')

/** @throws UsageError if the selector does not match the labels of a document. */
export function checkSelected(documents: readonly ApplyDocument[], selector: Selector): void {
  const others = documents.filter(({ kind, fields }) => isLabelled(kind) && !matches(fields.labels, selector))
  if (others.length === 0) return
  throw new UsageError(
    'every document needs the labels that --prune selects by',
    'add them, or apply the others without --prune',
    others.map(({ located, at, kind, name }) => `${located.file}:${located.positionOf(at).line}: ${kind.name} ${name}`),
  )
}

export async function prune(documents: readonly ApplyDocument[], selector: Selector, place: Place): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  // Records that others need are deleted last.
  for (const kind of kinds.filter(isLabelled).reverse()) {
    const named = new Set(documents.filter((each) => each.kind === kind).map(({ key }) => identity(kind, key)))
    for (const record of await orphans(kind, selector, named, place)) outcomes.push(await remove(kind, record, place))
  }
  return outcomes
}

async function orphans(kind: Kind, selector: Selector, named: ReadonlySet<string>, { session, ownOrg }: Place) {
  const { path, name, listKey = name } = kind.resource
  const query = { isActive: 'all', ...Object.fromEntries(selector.map(([label, value]) => [`label.${label}`, value])) }
  const found: JsonObject[] = []
  for await (const record of everyRecord(session, path, listKey, query)) {
    const isOurs = record.orgId === ownOrg && matches(record.labels, selector)
    if (isOurs && !named.has(identity(kind, record))) found.push(record)
  }
  return found
}

const identity = ({ resource }: Kind, record: JsonObject): string =>
  resource.key.fields
    .map((field) => (resource.key.isLoose === true ? loose(record[field]) : String(record[field])))
    .join('\n')

async function remove(kind: Kind, record: JsonObject, { session, isDryRun }: Place): Promise<Outcome> {
  const outcome = {
    kind: kind.name,
    name: keyText(kind.resource, record),
    changes: [],
    violations: [],
    warnings: [],
    notes: [],
    document: null,
  }
  try {
    if (!isDryRun) await session.send({ method: 'DELETE', path: `${kind.resource.path}/${record.id}` })
    return { ...outcome, action: 'deleted', error: null }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ...outcome, action: 'failed', error }
  }
}
