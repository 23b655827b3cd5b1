/** The store keeps its promises on every database that it runs on. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identityTables } from '../src/identity/tables.js'
import { heldClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import { enqueue } from '../src/runtime/jobs/enqueue.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { brokenUniqueConstraint } from '../src/runtime/store/database-error.js'
import type { Store, Tx } from '../src/runtime/store/db.js'
import { describeStores, WITH_POSTGRESQL } from './support/describe-stores.js'

const A = '11111111-1111-7111-8111-111111111111'
const B = '22222222-2222-7222-8222-222222222222'
const role = (id: string, orgId: string, name: string) => ({
  id,
  orgId,
  name,
  nameKey: name.toLowerCase(),
  description: '',
  permissions: ['pipelines:read'],
  builtIn: false,
  grantsLevel: 'member',
  revision: 1,
  createdAtMs: 1_763_690_000_000,
  updatedAtMs: 1_763_690_000_000,
})

await describeStores('the store', WITH_POSTGRESQL, (open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  const clock = heldClock(1_763_690_000_000)
  const runtime = { clock, ids: createIds(clock) } as unknown as Runtime
  const insert = (tx: Tx, ...args: Parameters<typeof role>) => tx.insert(identityTables(tx).roles).values(role(...args))
  const list = (orgId: string) =>
    store.tenant({ orgId, readableOrgIds: [] }).read((db) => {
      const { roles } = identityTables(db)
      return db.select().from(roles).where(eq(roles.orgId, orgId))
    })

  it('gives back what was written, with its types', async () => {
    const scope = store.tenant({ orgId: A, readableOrgIds: [] })
    await scope.write(async (tx) => void (await insert(tx, 'r1', A, 'Reader')))
    expect(await list(A)).toEqual([role('r1', A, 'Reader')])
  })

  it('rolls one write back and keeps its neighbours', async () => {
    const scope = store.tenant({ orgId: A, readableOrgIds: [] })
    const results = await Promise.allSettled([
      scope.write((tx) => insert(tx, 'n1', A, 'n1').then(() => 'kept')),
      scope.write(async (tx) => {
        await insert(tx, 'n2', A, 'n2')
        throw new Error('no')
      }),
      scope.write((tx) => insert(tx, 'n3', A, 'n3').then(() => 'kept')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const names = (await list(A)).map(({ name }) => name)
    expect(names).toContain('n1')
    expect(names).toContain('n3')
    expect(names).not.toContain('n2')
  })

  it('names the unique constraint that a write broke', async () => {
    const scope = store.tenant({ orgId: A, readableOrgIds: [] })
    const error = await scope
      .write((tx) => insert(tx, 'u1', A, 'u').then(() => insert(tx, 'u2', A, 'U')))
      .catch((thrown: unknown) => thrown)
    expect(brokenUniqueConstraint(error)?.constraint).toMatch(/roles/)
  })

  it('runs what waits for the commit after it, and not after a rollback', async () => {
    const seen: string[] = []
    await store.system.write(async (tx) => tx.afterCommit(() => seen.push('committed')))
    await store.system
      .write(async (tx) => {
        tx.afterCommit(() => seen.push('rolled back'))
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(seen).toEqual(['committed'])
  })

  it('refuses a write inside a write', async () => {
    await expect(store.system.write(() => store.system.write(async () => 1))).rejects.toThrow(/inside a write/)
  })

  it('queues work of a tenant, whose rows only the system reads', async () => {
    await store.tenant({ orgId: B, readableOrgIds: [] }).write(async (tx) => {
      await enqueue(tx, runtime, { kind: 'mail.send', orgId: B, payload: { b: 1, a: 2 } })
    })
    const rows = await store.system.read((db) => db.select().from(jobTables(db).jobs))
    expect(JSON.stringify(rows[0]?.payload)).toBe('{"b":1,"a":2}')
  })
})
