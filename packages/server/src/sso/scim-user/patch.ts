/**
 * Applies a PATCH to a person: the facts after its operations, in their order. A path from the client is never used to
 * access an object.
 */
import { scimRefusal } from '../scim/dialect.js'
import type { Filter } from '../scim/filter.js'
import { foldPath, USER_SCHEMA } from '../scim/names.js'
import { type PatchOperation, type Path, readPath } from '../scim/operations.js'
import { isObject } from '../scim/read.js'
import { addedEmailOf, checkId, type Draft, type Facts, isNotKept, isReadOnly, setAttribute, settled } from './facts.js'

export function patched(before: Facts, operations: readonly PatchOperation[], id: string): Facts {
  const draft: Draft = { ...before }
  for (const operation of operations) apply(draft, operation, id)
  return settled(draft)
}

function apply(draft: Draft, { op, path, value }: PatchOperation, id: string): void {
  if (path === null) {
    if (!isObject(value)) throw scimRefusal('invalidValue', 'value', 'names attributes where there is no path')
    for (const [key, each] of Object.entries(value)) {
      const name = foldPath(key, USER_SCHEMA)
      // Okta also sends the id.
      if (name === 'id') checkId(each, id)
      else if (name !== 'schemas') set(draft, op, readPath(key, USER_SCHEMA), each)
    }
  } else if (op === 'remove') {
    remove(draft, path)
  } else {
    set(draft, op, path, value)
  }
}

function set(draft: Draft, op: PatchOperation['op'], path: Path, value: unknown): void {
  const { text, name, filter, sub } = path
  checkWritable(path)
  // guard: nothing-said-of-a-person-activates-nobody
  if (name === 'active' && value === null) throw isRequired(text)
  if (filter === null && name === 'emails' && op === 'add') {
    draft.email = addedEmailOf(value, text) ?? draft.email
  } else if (filter === null) {
    setAttribute(draft, name, value, text)
  } else if (name === 'emails') {
    if (!isOurs(filter, draft.email)) return
    if (sub === null && isObject(value)) setAttribute(draft, 'emails', value, text)
    else setAttribute(draft, `emails.${sub ?? 'value'}`, value, text)
  } else if (!isNotKept(name)) {
    throw scimRefusal('invalidPath', text, `is not a list of ${USER_SCHEMA}`)
  }
}

function remove(draft: Draft, path: Path): void {
  const { text, name, filter, sub } = path
  checkWritable(path)
  if (name === 'username' || name === 'active') throw isRequired(text)
  if (filter === null) {
    setAttribute(draft, name, null, text)
  } else if (name === 'emails') {
    if (isOurs(filter, draft.email) && (sub === null || sub === 'value')) draft.email = null
  } else if (!isNotKept(name)) {
    throw scimRefusal('invalidPath', text, `is not a list of ${USER_SCHEMA}`)
  }
}

const isRequired = (text: string) => scimRefusal('mutability', text, 'is required: replace it')

function checkWritable({ name, text }: Path): void {
  // guard: what-the-server-says-of-a-user-is-not-written
  if (isReadOnly(name)) throw scimRefusal('mutability', text, 'is set by the server')
}

/** Whether the filter can match the one stored address, which is the primary one of type work. */
function isOurs(filter: Filter, email: string | null): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => isOurs(part, email))
    case 'or':
      return filter.parts.some((part) => isOurs(part, email))
    case 'is': {
      const { operator, value } = filter
      const path = filter.path.toLowerCase()
      if (operator !== 'eq') return true
      if (path === 'type') return String(value).toLowerCase() === 'work'
      if (path === 'value') return String(value).toLowerCase() === email?.toLowerCase()
      return path !== 'primary' || String(value).toLowerCase() === 'true'
    }
    default:
      return true
  }
}
