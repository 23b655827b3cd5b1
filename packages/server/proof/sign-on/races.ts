/** What must hold when sign-ins, a directory and an administrator write in the same moment. Each answers with what did not. */
import { and, eq } from 'drizzle-orm'
import { foldKey } from '../../src/identity/index.js'
import { identityTables } from '../../src/identity/tables.js'
import { ssoTables } from '../../src/sso/tables.js'
import { confirmed } from '../../test/support/organizations.js'
import type { SsoApp } from '../../test/support/sso.js'
import type { Company, Place } from './place.js'

export const RACE_SEATS = 4
const COMERS = 3

const accountsOf = (app: SsoApp, email: string): Promise<string[]> =>
  app.runtime.store.system.read(async (db) => {
    const { users } = identityTables(db)
    const rows = await db
      .select({ id: users.id })
      .from(users)
      .where(eq(users.emailKey, foldKey(email)))
    return rows.map(({ id }) => id)
  })

/** The directory and the provider bring more people than there are seats: as many come as have one. */
export async function lastSeat(place: Place, name: string): Promise<string[]> {
  const company = await place.company(name)
  const { app } = place
  const numbers = [...Array(COMERS).keys()]
  const signIns = await Promise.all(numbers.map((n) => company.away({ sub: `in-${n}` })))
  const answers = await Promise.all([
    ...signIns.map(({ back }) => back()),
    ...numbers.map((n) => company.user(`made-${n}`)),
  ])
  const came = answers.filter(({ status }) => status < 300).length
  const members = await app.runtime.store.system.read((db) => {
    const { memberships: t } = identityTables(db)
    return db.$count(t, and(eq(t.orgId, company.orgId), eq(t.isActive, true)))
  })
  const others = answers.filter(({ status }) => status >= 300 && status !== 403)
  return [
    ...(members === RACE_SEATS ? [] : [`${name}: ${members} members of ${RACE_SEATS} seats`]),
    ...(came === members - 1 ? [] : [`${name}: ${came} were let in, and ${members - 1} are there`]),
    ...others.map(({ status, body }) => `${name}: ${status} ${JSON.stringify(body)}`),
  ]
}

/** A person comes for the first time by two browsers: one account, one membership, one link. */
export async function twoFirstSignIns(place: Place, name: string): Promise<string[]> {
  const company = await place.company(name)
  const { app } = place
  const both = await Promise.all([company.away({ sub: 'nina' }), company.away({ sub: 'nina' })])
  const answers = await Promise.all(both.map(({ back }) => back()))
  const accounts = await accountsOf(app, `nina@${company.domain}`)
  const links = await app.runtime.store.system.read((db) => {
    const { identityLinks: t } = ssoTables(db)
    return db.$count(t, eq(t.orgId, company.orgId))
  })
  const statuses = answers.map(({ status }) => status)
  const isTold = statuses.includes(200) && statuses.every((status) => [200, 403, 409].includes(status))
  return [
    ...(accounts.length === 1 && links === 1 ? [] : [`${name}: ${accounts.length} accounts, ${links} links`]),
    ...(isTold ? [] : [`${name}: answered ${statuses}`]),
  ]
}

/** The directory gives a Role and takes it by a group while an administrator gives it by hand: what was given by hand stays. */
export async function groupAndHand(company: Company, app: SsoApp, roleId: string, n: number): Promise<string[]> {
  const { admin, orgId } = company
  const person = await company.user(`person-${n}`)
  const { id } = person.body as { id: string }
  const [userId = ''] = await accountsOf(app, `person-${n}@${company.domain}`)
  const { Resources } = (await company.call('GET', '/Groups?filter=displayName%20eq%20%22devs%22')).body as {
    Resources: { id: string }[]
  }
  const group = `/Groups/${Resources[0]?.id}`
  const member = { op: 'add', path: 'members', value: [{ value: id }] }
  const gone = { op: 'remove', path: `members[value eq "${id}"]` }
  if (n % 2 === 1) await company.patch(group, member)
  const [, byHand] = await Promise.all([
    company.patch(group, n % 2 === 1 ? gone : member),
    confirmed(app, 'POST', `/organization/${orgId}/roles/${roleId}/members`, { as: admin, body: { userId } }),
    company.patch(group, { op: 'replace', path: 'displayName', value: 'devs' }),
  ])
  await company.patch(group, gone)
  const roles = await app.runtime.store.system.read((db) => {
    const { roleAssignments: t } = identityTables(db)
    return db
      .select()
      .from(t)
      .where(and(eq(t.roleId, roleId), eq(t.userId, userId)))
  })
  const isRight = byHand.status < 300 && roles.length === 1
  return isRight ? [] : [`person-${n}: by hand ${byHand.status}, then ${roles.length} Roles: ${JSON.stringify(roles)}`]
}

/** A company whose group `devs` gives a Role of its own. */
export async function withMappedGroup(place: Place, name: string): Promise<{ company: Company; roleId: string }> {
  const company = await place.company(name)
  const { admin, orgId, idpId } = company
  const path = `/organization/${orgId}`
  const body = { name: 'Builders', permissions: ['pipelines:write'] }
  const made = await confirmed(place.app, 'POST', `${path}/roles`, { as: admin, body })
  const roleId = made.data.role.id as string
  const groups = [{ name: 'devs', roleIds: [roleId] }]
  await confirmed(place.app, 'PUT', `${path}/idps/${idpId}/groups`, { as: admin, body: { groups } })
  await company.group('devs')
  return { company, roleId }
}
