/**
 * A directory's data about a group, and the steps of a PATCH. Members are rows, so that changing one of many is cheap.
 */

import { scimRefusal } from '../scim/dialect.js'
import type { Filter } from '../scim/filter.js'
import { foldPath, GROUP_SCHEMA } from '../scim/names.js'
import { type PatchOperation, readPath } from '../scim/operations.js'
import { checkDepth, foldedEntries, isObject, type Json, textOf } from '../scim/read.js'
import { checkId } from '../scim-user/facts.js'

export interface GroupFacts {
  readonly displayName: string
  readonly externalId: string | null
  /** Ids of people of the directory; null when the body has no members. */
  readonly members: readonly string[] | null
}

export type Step =
  | { readonly kind: 'name'; readonly displayName: string }
  | { readonly kind: 'external'; readonly externalId: string | null }
  | { readonly kind: 'add' | 'remove' | 'replace'; readonly members: readonly string[] }

const MEMBERS_MAX = 20_000

/** @throws Refusal 400 */
export function readGroup(body: Json, id: string | null): GroupFacts {
  checkDepth(body)
  let displayName: string | null = null
  let externalId: string | null = null
  let members: readonly string[] | null = null
  for (const [key, value] of Object.entries(body)) {
    const name = foldPath(key, GROUP_SCHEMA)
    if (name === 'id') checkId(value, id)
    else if (name === 'displayname') displayName = textOf(value, key)
    else if (name === 'externalid') externalId = textOf(value, key)
    else if (name === 'members') members = membersOf(value, key)
    else if (name !== 'schemas' && name !== 'meta') throw unknown(key)
  }
  if (displayName === null) throw scimRefusal('invalidValue', 'displayName', 'is required')
  return { displayName, externalId, members }
}

const unknown = (key: string) =>
  scimRefusal(
    'invalidPath',
    key,
    `is not an attribute of ${GROUP_SCHEMA}: leave it out of the mapping of the directory`,
  )

/** Accepts one member or several, as objects with `value` or as ids. @throws Refusal 400 `invalidValue` */
function membersOf(value: unknown, field: string): string[] {
  const list = Array.isArray(value) ? value : value === null ? [] : [value]
  if (list.length > MEMBERS_MAX) throw scimRefusal('invalidValue', field, `has at most ${MEMBERS_MAX} members`)
  const ids = list.map((each) => {
    const said = foldedEntries(isObject(each) ? each : { value: each })
    const [id, type] = [said.get('value'), said.get('type')]
    if (typeof id !== 'string' || id === '' || id.length > 100) {
      throw scimRefusal('invalidValue', field, 'holds objects with the id of a user in `value`')
    }
    if (typeof type === 'string' && type.toLowerCase() !== 'user') {
      throw scimRefusal('invalidValue', field, 'are users: groups within groups are not kept')
    }
    return id
  })
  return [...new Set(ids)]
}

/** @throws Refusal 400 */
export const stepsOf = (operations: readonly PatchOperation[], id: string): Step[] =>
  operations.flatMap((operation) => {
    const { op, path, value } = operation
    if (path !== null) return [stepOf(operation, path.name, value)]
    if (!isObject(value)) throw scimRefusal('invalidValue', 'value', 'names attributes where there is no path')
    return Object.entries(value).flatMap(([key, each]) => {
      const inner = readPath(key, GROUP_SCHEMA)
      if (inner.name === 'id') {
        checkId(each, id)
        return []
      }
      return inner.name === 'schemas' ? [] : [stepOf({ op, path: inner, value: each }, inner.name, each)]
    })
  })

function stepOf({ op, path }: PatchOperation, name: string, value: unknown): Step {
  const field = path?.text ?? name
  const isOfMember = name === 'members' && (path?.sub ?? 'value') === 'value'
  if (path !== null && path.filter !== null && !isOfMember) {
    throw scimRefusal('invalidPath', field, 'is not a member, or a part of one that can be changed')
  }
  switch (name) {
    case 'displayname': {
      const displayName = op === 'remove' ? null : textOf(value, field)
      if (displayName === null) throw scimRefusal('invalidValue', field, 'is required')
      return { kind: 'name', displayName }
    }
    case 'externalid':
      return { kind: 'external', externalId: op === 'remove' ? null : textOf(value, field) }
    case 'members':
      return memberStep(op, path?.filter ?? null, value, field)
    case 'members.value':
      return memberStep(op, null, value, field)
    case 'id':
    case 'meta':
      throw scimRefusal('mutability', field, 'is set by the server')
    default:
      throw unknown(field)
  }
}

function memberStep(op: PatchOperation['op'], filter: Filter | null, value: unknown, field: string): Step {
  if (filter !== null) {
    if (op !== 'remove') throw scimRefusal('invalidPath', field, 'names members by a filter in a removal alone')
    return { kind: 'remove', members: namedBy(filter, field) }
  }
  if (op === 'remove' && (value === undefined || value === null)) return { kind: 'replace', members: [] }
  return { kind: op, members: membersOf(value, field) }
}

/** The ids that a filter such as `value eq "…"` names. @throws Refusal 400 `invalidPath` */
function namedBy(filter: Filter, field: string): string[] {
  if (filter.kind === 'or') return filter.parts.flatMap((part) => namedBy(part, field))
  const isId = filter.kind === 'is' && filter.operator === 'eq' && filter.path.toLowerCase() === 'value'
  if (!isId || typeof filter.value !== 'string') {
    throw scimRefusal('invalidPath', field, 'names members by `value eq "<id>"`')
  }
  return [filter.value]
}
