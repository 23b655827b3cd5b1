/**
 * `npx tsx packages/server/proof/speed/scim.ts sqlite|postgres [PEOPLE] [MEMBERS] [ROUNDS]`: what a call of a directory costs in an
 * organization of 10,000 people with a group of 5,000. Prints a line of JSON a kind of call: the median and the worst of the wall time, the
 * median of the processor time of this process, and on PostgreSQL how many statements the call sends. `nothing` is the same call
 * without the work: what a request costs on this machine at this moment.
 */
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { provisioningTables, type ScimUserRow } from '../../src/identity/index.js'
import { identityTables } from '../../src/identity/tables.js'
import { columnsOf } from '../../src/sso/scim-user/record.js'
import { directoryOf } from '../../test/support/scim.js'
import { ssoApp } from '../../test/support/sso.js'
import { postgresStore, sqliteStore } from '../../test/support/stores.js'

const [engine = 'sqlite', people = '10000', members = '5000', rounds = '30'] = process.argv.slice(2)
const BATCH = 400
const userNameOf = (n: number): string => `person-${n}@acme.test`

let statements = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function counted(this: pg.Client, ...args: never[]) {
  statements += 1
  return Reflect.apply(query, this, args)
} as typeof query

const store = engine === 'postgres' ? await postgresStore() : await sqliteStore()
try {
  const app = await ssoApp(store, { settings: { MAX_ROOT_SEATS: '-1' } })
  const directory = await directoryOf(app, 'ann', 'acme.test')
  const ids = await seedPeople()
  const group = await directory.group('everybody', ids.slice(0, Number(members)))
  if (group.status !== 201) throw new Error(JSON.stringify(group.body))
  const groupId = group.body.id as string
  // As autovacuum does within a minute: without it PostgreSQL plans for the empty tables that it knew.
  if (engine === 'postgres') await analyze((store as unknown as { readonly url: string }).url)
  const at = Math.floor(Number(people) / 2)
  const middle = { id: ids[at], userName: userNameOf(at), externalId: `ext-${at}` }
  const kinds: Record<string, (round: number) => Promise<{ status: number }>> = {
    nothing: () => directory.call('GET', '/ServiceProviderConfig'),
    'one person': () => directory.call('GET', `/Users/${middle.id}`),
    'userName eq': () =>
      directory.call('GET', `/Users?filter=${encodeURIComponent(`userName eq "${middle.userName}"`)}`),
    'externalId eq': () =>
      directory.call('GET', `/Users?filter=${encodeURIComponent(`externalId eq "${middle.externalId}"`)}`),
    'emails eq': () =>
      directory.call('GET', `/Users?filter=${encodeURIComponent(`emails.value eq "${middle.userName}"`)}`),
    'userName sw': () => directory.call('GET', `/Users?filter=${encodeURIComponent('userName sw "person-99"')}`),
    'displayName co': () =>
      directory.call('GET', `/Users?count=10&filter=${encodeURIComponent('displayName co "77"')}`),
    'active eq true': () => directory.call('GET', `/Users?count=10&filter=${encodeURIComponent('active eq true')}`),
    'members of a group': () =>
      directory.call('GET', `/Users?count=10&filter=${encodeURIComponent(`groups.value eq "${groupId}"`)}`),
    'group by member': () =>
      directory.call(
        'GET',
        `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`members.value eq "${middle.id}"`)}`,
      ),
    'member added': (round) =>
      directory.patch(`/Groups/${groupId}`, {
        op: 'add',
        path: 'members',
        value: [{ value: ids[Number(members) + round] }],
      }),
    'member removed': (round) =>
      directory.patch(`/Groups/${groupId}`, {
        op: 'remove',
        path: `members[value eq "${ids[Number(members) + round]}"]`,
      }),
    'person renamed': (round) =>
      directory.patch(`/Users/${middle.id}`, { op: 'replace', path: 'displayName', value: `Renamed ${round}` }),
  }
  for (const [name, call] of Object.entries(kinds)) {
    const walls: number[] = []
    const cpus: number[] = []
    const counts: number[] = []
    for (let round = 0; round < Number(rounds); round++) {
      const before = statements
      const cpu = process.cpuUsage()
      const startedMs = performance.now()
      const { status } = await call(round)
      walls.push(performance.now() - startedMs)
      const used = process.cpuUsage(cpu)
      cpus.push((used.user + used.system) / 1000)
      counts.push(statements - before)
      if (status !== 200 && status !== 204) throw new Error(`${name}: ${status}`)
    }
    const median = (of: number[]) => [...of].sort((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0
    const figures = { name, ms: median(walls), worstMs: Math.max(...walls), cpuMs: median(cpus) }
    console.log(JSON.stringify({ ...figures, statements: engine === 'postgres' ? median(counts) : null }))
  }
  async function analyze(connectionString: string): Promise<void> {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query('ANALYZE')
    await client.end()
  }

  /** Past every check, in few statements: by calls it would take minutes. @returns the ids of the people at the directory. */
  async function seedPeople(): Promise<string[]> {
    const { ids: make } = app.runtime
    const all = Array.from({ length: Number(people) }, (_, n) => ({ n, id: make.next(), userId: make.next() }))
    const [own] = await store.system.read((db) => {
      const { users } = identityTables(db)
      return db.select().from(users).where(eq(users.id, directory.admin.userId))
    })
    const [member] = await store.system.read((db) => {
      const { memberships } = identityTables(db)
      return db.select().from(memberships).where(eq(memberships.userId, directory.admin.userId))
    })
    if (own === undefined || member === undefined) throw new Error('the administrator is not there')
    for (let from = 0; from < all.length; from += BATCH) {
      const some = all.slice(from, from + BATCH)
      await store.system.write(async (tx) => {
        const { users, memberships } = identityTables(tx)
        const { scimUsers } = provisioningTables(tx)
        await tx.insert(users).values(
          some.map(({ n, userId }) => ({
            ...own,
            ...{ id: userId, username: `person-${n}`, usernameKey: `person-${n}` },
            ...{ email: userNameOf(n), emailKey: userNameOf(n), passwordHash: null },
          })),
        )
        await tx.insert(memberships).values(some.map(({ userId }) => ({ ...member, id: make.next(), userId })))
        await tx.insert(scimUsers).values(some.map(({ n, id, userId }) => rowOf(n, id, userId)))
      })
    }
    return all.map(({ id }) => id)
  }

  function rowOf(n: number, id: string, userId: string): ScimUserRow {
    return {
      ...{ id, orgId: directory.orgId, providerId: directory.idpId, userId },
      ...columnsOf({
        ...{ userName: userNameOf(n), externalId: `ext-${n}`, email: userNameOf(n), displayName: `Person ${n}` },
        ...{ givenName: 'Person', familyName: String(n), formattedName: null, title: null, active: true },
      }),
      ...{ createdAtMs: app.clock.now(), updatedAtMs: app.clock.now() },
    }
  }

  if (app.errors.length > 0) throw new Error(app.errors.map(String).join('\n'))
} finally {
  await store.close()
}
