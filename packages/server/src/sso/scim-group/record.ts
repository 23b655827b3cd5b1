/** A group as its directory sees it. */
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type GroupRow, provisioningTables } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { type Calling, type Showing, showingOf } from '../scim/directory.js'
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
import { GROUP_SCHEMA } from '../scim/names.js'
import type { Field, Fields } from '../scim/where.js'
import type { ProviderRow } from '../tables.js'

interface Member {
  readonly value: string
  readonly display: string
}

export interface GroupShowing extends Showing {
  readonly providerId: string
}

export const groupShowingOf = (db: Db, calling: Calling, { id, orgId }: ProviderRow): GroupShowing => ({
  ...showingOf(db, calling, orgId),
  providerId: id,
})

/**
 * Finds a group by id. @throws Refusal 404, also for a group that no directory sent, and for one of another provider.
 */
export async function findGroup(
  db: Db,
  { orgId, providerId }: Pick<GroupShowing, 'orgId' | 'providerId'>,
  id: string,
): Promise<GroupRow> {
  const { idpGroups: t } = provisioningTables(db)
  // guard: groups-of-the-own-directory
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.providerId, providerId), eq(t.id, id), eq(t.isScim, true)))
  if (row === undefined) throw notFound('Group')
  return row
}

function resourceOf(row: GroupRow, members: readonly Member[] | null, { location }: GroupShowing): Resource {
  return {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...(row.externalId === null ? {} : { externalId: row.externalId }),
    displayName: row.name,
    ...(members === null
      ? {}
      : { members: members.map((each) => ({ ...each, type: 'User', $ref: location('Users', each.value) })) }),
    meta: {
      resourceType: 'Group',
      created: toIso(row.createdAtMs),
      lastModified: toIso(row.updatedAtMs),
      location: location('Groups', row.id),
    },
  }
}

export async function showGroup(showing: GroupShowing, id: string, shown: Shown): Promise<Resource> {
  const row = await findGroup(showing.db, showing, id)
  const members = isShown('members', shown, GROUP_SCHEMA) ? await membersOf(showing, [id]) : null
  return shownOf(resourceOf(row, members && (members.get(id) ?? []), showing), shown, GROUP_SCHEMA)
}

export async function listGroups(showing: GroupShowing, listing: Listing) {
  const { db, orgId, providerId } = showing
  const { idpGroups: t } = provisioningTables(db)
  const page = pageOf(listing)
  const matches = matching(db, fieldsOf(db, orgId), listing)
  const where = and(eq(t.orgId, orgId), eq(t.providerId, providerId), eq(t.isScim, true), matches)
  const [all] = await db.select({ total: count() }).from(t).where(where)
  const rows =
    page.limit === 0
      ? []
      : await db.select().from(t).where(where).orderBy(asc(t.id)).limit(page.limit).offset(page.offset)
  const members = isShown('members', listing, GROUP_SCHEMA)
    ? await membersOf(
        showing,
        rows.map(({ id }) => id),
      )
    : null
  const resources = rows.map((row) =>
    shownOf(resourceOf(row, members && (members.get(row.id) ?? []), showing), listing, GROUP_SCHEMA),
  )
  return listAnswer(resources, all?.total ?? 0, page)
}

async function membersOf({ db, orgId }: GroupShowing, ids: readonly string[]): Promise<Map<string, Member[]>> {
  const members = new Map<string, Member[]>()
  if (ids.length === 0) return members
  const { idpGroupMembers: t, scimUsers } = provisioningTables(db)
  const rows = await db
    .select({ groupId: t.groupId, value: scimUsers.id, display: scimUsers.userName })
    .from(t)
    .innerJoin(scimUsers, and(eq(scimUsers.orgId, orgId), eq(scimUsers.userId, t.userId)))
    .where(and(eq(t.orgId, orgId), inArray(t.groupId, [...ids])))
    .orderBy(asc(scimUsers.id))
  for (const { groupId, ...member } of rows) {
    const known = members.get(groupId)
    if (known === undefined) members.set(groupId, [member])
    else known.push(member)
  }
  return members
}

function fieldsOf(db: Db, orgId: string): Fields {
  const { idpGroups: t, idpGroupMembers: members, scimUsers } = provisioningTables(db)
  const exists = (condition: SQL | null) =>
    sql`EXISTS (SELECT 1 FROM ${members} JOIN ${scimUsers} ON ${scimUsers.orgId} = ${orgId} AND ${scimUsers.userId} = ${members.userId} WHERE ${members.orgId} = ${orgId} AND ${members.groupId} = ${t.id} AND ${condition ?? sql`1 = 1`})`
  const member: Field = { kind: 'rows', text: scimUsers.id, exists }
  return {
    schema: GROUP_SCHEMA,
    of: new Map<string, Field>([
      ['id', { kind: 'text', column: t.id, folded: false }],
      ['externalid', { kind: 'text', column: t.externalId, folded: false }],
      ['displayname', { kind: 'text', column: t.nameKey, folded: true }],
      ['members', member],
      ['members.value', member],
      ['meta.created', { kind: 'instant', column: t.createdAtMs }],
      ['meta.lastmodified', { kind: 'instant', column: t.updatedAtMs }],
      ['meta.resourcetype', { kind: 'constant', value: 'Group' }],
    ]),
  }
}
