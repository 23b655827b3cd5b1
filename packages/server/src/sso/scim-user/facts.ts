/** A directory's data about a person: the stored attributes, read from a whole resource. */
import { domainOf } from '../domain-name.js'
import { scimRefusal } from '../scim/dialect.js'
import { foldPath, USER_SCHEMA } from '../scim/names.js'
import { booleanOf, checkDepth, foldedEntries, isObject, type Json, textOf } from '../scim/read.js'

export interface Facts {
  readonly userName: string
  readonly externalId: string | null
  readonly email: string
  readonly displayName: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  readonly formattedName: string | null
  readonly title: string | null
  readonly active: boolean
}

/** Facts under construction; the address may still be missing. */
export type Draft = { -readonly [K in keyof Facts]: Facts[K] | null }

export const EMPTY: Draft = {
  userName: null,
  externalId: null,
  email: null,
  displayName: null,
  givenName: null,
  familyName: null,
  formattedName: null,
  title: null,
  active: null,
}

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user'

/** Attributes of the standard that are accepted but not stored, because the server does not use them. */
const NOT_KEPT: ReadonlySet<string> = new Set(
  (
    'nickname profileurl usertype preferredlanguage locale timezone password phonenumbers ims photos addresses entitlements roles ' +
    'x509certificates name.middlename name.honorificprefix name.honorificsuffix'
  ).split(' '),
)
/** Attributes that the server sets. A whole resource may send them back, and they are ignored. */
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'groups', 'schemas'])

export const isReadOnly = (name: string): boolean =>
  READ_ONLY.has(name) || name.startsWith('meta.') || name.startsWith('groups.')

export const isNotKept = (name: string): boolean => {
  const [first = ''] = name.split(/[.:[]/)
  return NOT_KEPT.has(name) || NOT_KEPT.has(first) || name === ENTERPRISE || name.startsWith(`${ENTERPRISE}:`)
}

const TEXTS: ReadonlyMap<string, keyof Draft> = new Map<string, keyof Draft>([
  ['externalid', 'externalId'],
  ['displayname', 'displayName'],
  ['title', 'title'],
  ['name.givenname', 'givenName'],
  ['name.familyname', 'familyName'],
  ['name.formatted', 'formattedName'],
])

/**
 * Sets one attribute by its folded name. @param field the name as the client spells it.
 * @throws Refusal 400 `invalidValue`, and `invalidPath` for an unknown attribute
 */
export function setAttribute(draft: Draft, name: string, value: unknown, field: string): void {
  const text = TEXTS.get(name)
  if (text !== undefined) {
    draft[text] = textOf(value, field) as never
  } else if (name === 'username') {
    draft.userName = textOf(value, field)
    if (draft.userName === null) throw scimRefusal('invalidValue', field, 'is required')
  } else if (name === 'active') {
    draft.active = value === null ? true : booleanOf(value, field)
  } else if (name === 'name') {
    setName(draft, value, field)
  } else if (name === 'emails') {
    draft.email = emailOf(value, field)
  } else if (name === 'emails.value') {
    draft.email = textOf(value, field)
  } else if (name === 'emails.type' || name === 'emails.primary' || name === 'emails.display' || isNotKept(name)) {
    // Accepted but not stored.
  } else {
    // guard: an-attribute-of-a-user-that-is-not-known
    throw scimRefusal(
      'invalidPath',
      field,
      `is not an attribute of ${USER_SCHEMA}: leave it out of the mapping of the directory`,
    )
  }
}

function setName(draft: Draft, value: unknown, field: string): void {
  if (value === null) {
    draft.givenName = draft.familyName = draft.formattedName = null
    return
  }
  if (!isObject(value)) throw scimRefusal('invalidValue', field, 'is an object')
  for (const [key, each] of Object.entries(value)) {
    setAttribute(draft, `name.${key.toLowerCase()}`, each, `${field}.${key}`)
  }
}

/** The primary address, else the one of type work, else the first. */
const emailOf = (value: unknown, field: string): string | null => {
  const addresses = addressesOf(value, field)
  return (ourOf(addresses) ?? addresses[0])?.address ?? null
}

/** The address that takes the place of the stored one when it is added; null for one beside it, such as a home one. */
export function addedEmailOf(value: unknown, field: string): string | null {
  const addresses = addressesOf(value, field)
  return (ourOf(addresses) ?? addresses.find(({ type }) => type === null))?.address ?? null
}

interface Address {
  readonly address: string | null
  /** Null when the directory sends none. */
  readonly type: string | null
  readonly isPrimary: boolean
}

const ourOf = (addresses: readonly Address[]): Address | undefined =>
  addresses.find(({ isPrimary }) => isPrimary) ?? addresses.find(({ type }) => type === 'work')

function addressesOf(value: unknown, field: string): Address[] {
  const list = Array.isArray(value) ? value : value === null ? [] : [value]
  if (list.length > 20) throw scimRefusal('invalidValue', field, 'has at most 20 addresses')
  return list.map((each) => {
    const said = foldedEntries(isObject(each) ? each : { value: each })
    const [type, primary] = [said.get('type'), said.get('primary')]
    return {
      address: textOf(said.get('value'), `${field}.value`, 254),
      type: typeof type === 'string' && type !== '' ? type.toLowerCase() : null,
      isPrimary: primary !== undefined && primary !== null && booleanOf(primary, `${field}.primary`),
    }
  })
}

/** Reads a whole resource of a POST or a PUT. @param id of the resource that it replaces. */
export function readFacts(body: Json, id: string | null): Facts {
  checkDepth(body)
  const draft = { ...EMPTY }
  for (const [key, value] of Object.entries(body)) {
    const name = foldPath(key, USER_SCHEMA)
    if (name === 'id') checkId(value, id)
    if (!isReadOnly(name)) setAttribute(draft, name, value, key)
  }
  return settled(draft)
}

/** @throws Refusal 400 `mutability` */
export function checkId(value: unknown, id: string | null): void {
  // guard: the-id-of-a-resource-stays
  if (id !== null && value !== id) throw scimRefusal('mutability', 'id', `stays ${id}`)
}

/** @throws Refusal 400 when a required attribute is missing */
export function settled(draft: Draft): Facts {
  const { userName, email, active } = draft
  if (userName === null) throw scimRefusal('invalidValue', 'userName', 'is required')
  const address = email ?? userName
  if (address.length > 254 || domainOf(address) === null) {
    throw scimRefusal('invalidValue', 'emails', 'needs the address of the person, where `userName` is not one')
  }
  return { ...draft, userName, email: address, active: active ?? true }
}
