/** A person as the directory sees them: the data it sent, whether the person is active, and their groups. */
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { provisioningTables, type ScimUserRow } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { nameKey } from '../../runtime/operation/name.js'
import type { Db } from '../../runtime/store/db.js'
import type { Showing } from '../scim/directory.js'
import {
  isShown,
  type Listing,
  listAnswer,
  matching,
  pageOf,
  type Resource,
  type Shown,
  shownOf,
} from '../scim/list.js'
import { USER_SCHEMA } from '../scim/names.js'
import type { Field, Fields } from '../scim/where.js'
import type { Facts } from './facts.js'

export interface Person {
  readonly row: ScimUserRow
  readonly active: boolean
}

interface Group {
  readonly value: string
  readonly display: string
}

export function factsOf({ row, active }: Person): Facts {
  const { userName, externalId, email, displayName, givenName, familyName, formattedName, title } = row
  return { userName, externalId, email, displayName, givenName, familyName, formattedName, title, active }
}

const keyOf = (text: string | null): string | null => (text === null ? null : nameKey(text))

/** The columns with the directory's data. */
export const columnsOf = ({ active: _, ...facts }: Facts) => ({
  ...facts,
  userNameKey: nameKey(facts.userName),
  emailKey: nameKey(facts.email),
  displayNameKey: keyOf(facts.displayName),
  givenNameKey: keyOf(facts.givenName),
  familyNameKey: keyOf(facts.familyName),
  formattedNameKey: keyOf(facts.formattedName),
  titleKey: keyOf(facts.title),
})

const present = (entries: Readonly<Record<string, unknown>>): Resource =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null && value !== undefined))

function resourceOf({ row, active }: Person, groups: readonly Group[] | null, location: Showing['location']): Resource {
  const { formattedName: formatted, familyName, givenName } = row
  const name = present({ formatted, familyName, givenName })
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...present({ externalId: row.externalId }),
    userName: row.userName,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...present({ displayName: row.displayName, title: row.title }),
    emails: [{ value: row.email, type: 'work', primary: true }],
    active,
    ...(groups === null || groups.length === 0
      ? {}
      : { groups: groups.map((group) => ({ ...group, $ref: location('Groups', group.value) })) }),
    meta: {
      resourceType: 'User',
      created: toIso(row.createdAtMs),
      lastModified: toIso(row.updatedAtMs),
      location: location('Users', row.id),
    },
  }
}

/** Finds a person by id. @throws Refusal 404, also for a person of another organization. */
export async function findPerson(db: Db, orgId: string, id: string): Promise<Person> {
  const { scimUsers: t } = provisioningTables(db)
  const { memberships } = identityTables(db)
  // guard: people-of-the-own-directory
  const [found] = await db
    .select({ row: t, active: memberships.isActive })
    .from(t)
    .innerJoin(memberships, and(eq(memberships.orgId, t.orgId), eq(memberships.userId, t.userId)))
    .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  if (found === undefined) throw notFound('User')
  return found
}

export async function showPerson({ db, orgId, location }: Showing, id: string, shown: Shown): Promise<Resource> {
  const person = await findPerson(db, orgId, id)
  const groups = isShown('groups', shown, USER_SCHEMA) ? await groupsOf(db, orgId, [person.row.userId]) : null
  return shownOf(resourceOf(person, groups?.get(person.row.userId) ?? [], location), shown, USER_SCHEMA)
}

export async function listPeople({ db, orgId, location }: Showing, listing: Listing) {
  const { scimUsers: t } = provisioningTables(db)
  const { memberships } = identityTables(db)
  const page = pageOf(listing)
  const isHere = and(eq(memberships.orgId, t.orgId), eq(memberships.userId, t.userId))
  const matches = matching(db, fieldsOf(db, orgId), listing)
  // guard: the-list-of-a-directory
  const where = and(eq(t.orgId, orgId), matches)
  const [all] = await db.select({ total: count() }).from(t).innerJoin(memberships, isHere).where(where)
  const people =
    page.limit === 0
      ? []
      : await db
          .select({ row: t, active: memberships.isActive })
          .from(t)
          .innerJoin(memberships, isHere)
          .where(where)
          .orderBy(asc(t.id))
          .limit(page.limit)
          .offset(page.offset)
  const groups = isShown('groups', listing, USER_SCHEMA)
    ? await groupsOf(
        db,
        orgId,
        people.map(({ row }) => row.userId),
      )
    : new Map<string, Group[]>()
  const resources = people.map((person) =>
    shownOf(resourceOf(person, groups.get(person.row.userId) ?? [], location), listing, USER_SCHEMA),
  )
  return listAnswer(resources, all?.total ?? 0, page)
}

/** Groups that the directory sent; groups from claims of a sign-in are not shown to it. */
async function groupsOf(db: Db, orgId: string, userIds: readonly string[]): Promise<Map<string, Group[]>> {
  const groups = new Map<string, Group[]>()
  if (userIds.length === 0) return groups
  const { idpGroups, idpGroupMembers: members } = provisioningTables(db)
  const rows = await db
    .select({ userId: members.userId, value: idpGroups.id, display: idpGroups.name })
    .from(members)
    .innerJoin(idpGroups, and(eq(idpGroups.id, members.groupId), eq(idpGroups.isScim, true)))
    .where(and(eq(members.orgId, orgId), inArray(members.userId, [...userIds])))
    .orderBy(asc(idpGroups.id))
  for (const { userId, ...group } of rows) groups.set(userId, [...(groups.get(userId) ?? []), group])
  return groups
}

function fieldsOf(db: Db, orgId: string): Fields {
  const { scimUsers: t, idpGroups, idpGroupMembers: members } = provisioningTables(db)
  const { memberships } = identityTables(db)
  const groups: Field = {
    kind: 'rows',
    text: idpGroups.id,
    exists: (condition: SQL | null) =>
      sql`EXISTS (SELECT 1 FROM ${members} JOIN ${idpGroups} ON ${idpGroups.id} = ${members.groupId} WHERE ${members.orgId} = ${orgId} AND ${members.userId} = ${t.userId} AND ${eq(idpGroups.isScim, true)} AND ${condition ?? sql`1 = 1`})`,
  }
  const email: Field = { kind: 'text', column: t.emailKey, folded: true }
  const of = new Map<string, Field>([
    ['id', { kind: 'text', column: t.id, folded: false }],
    ['externalid', { kind: 'text', column: t.externalId, folded: false }],
    ['username', { kind: 'text', column: t.userNameKey, folded: true }],
    ['displayname', { kind: 'text', column: t.displayNameKey, folded: true }],
    ['name.givenname', { kind: 'text', column: t.givenNameKey, folded: true }],
    ['name.familyname', { kind: 'text', column: t.familyNameKey, folded: true }],
    ['name.formatted', { kind: 'text', column: t.formattedNameKey, folded: true }],
    ['title', { kind: 'text', column: t.titleKey, folded: true }],
    ['emails', email],
    ['emails.value', email],
    ['emails.type', { kind: 'constant', value: 'work' }],
    ['emails.primary', { kind: 'constant', value: true }],
    ['active', { kind: 'boolean', column: memberships.isActive }],
    ['groups', groups],
    ['groups.value', groups],
    ['meta.created', { kind: 'instant', column: t.createdAtMs }],
    ['meta.lastmodified', { kind: 'instant', column: t.updatedAtMs }],
    ['meta.resourcetype', { kind: 'constant', value: 'User' }],
  ])
  return { schema: USER_SCHEMA, of }
}
