/**
 * Goal: a change and its evidence are one. Method: random interleavings of commands through `execute` that commit, fail
 * before or after their evidence, or find that their evidence cannot be written, while passes seal what is there; then
 * the rows that were changed and the events that say so are the same set.
 */
import { sql } from 'drizzle-orm'
import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../proof/world/random.js'
import { sealBatch } from '../../src/audit/chain/seal-batch.js'
import { auditTables } from '../../src/audit/tables.js'
import { identityTables } from '../../src/identity/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { type Call, execute } from '../../src/runtime/http/execute.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { anyone } from '../../src/runtime/operation/access.js'
import { changed } from '../../src/runtime/operation/context.js'
import { command, noTenant } from '../../src/runtime/operation/operation.js'
import { strictObject } from '../../src/runtime/operation/schema.js'
import type { Store } from '../../src/runtime/store/db.js'
import { ORG_A, runtimeOver } from '../support/audit/evidence.js'
import { ALONE, describeStores } from '../support/describe-stores.js'

const FATES = ['commits', 'fails first', 'fails last', 'evidence fails', 'forgets evidence'] as const
type Fate = (typeof FATES)[number]

const makeRole = command({
  name: 'test.role.create',
  summary: 'Make a role',
  http: { method: 'post', path: '/test' },
  access: anyone(),
  tenant: noTenant,
  audit: ['org.role.create'],
  input: { body: strictObject({ id: Type.String(), fate: Type.Enum([...FATES]) }) },
  output: Type.Null(),
  errors: [],
  async run(context, { body: { id, fate } }) {
    if (fate === 'fails first') throw new Error('first')
    const { roles } = identityTables(context.tx)
    await context.tx.insert(roles).values({
      id,
      orgId: ORG_A,
      name: id,
      nameKey: id,
      description: '',
      permissions: [],
      builtIn: false,
      grantsLevel: 'member',
      revision: 1,
      createdAtMs: 1,
      updatedAtMs: 1,
    })
    if (fate === 'forgets evidence') return changed(null)
    // An organization that is not a text cannot be stored, as a full disk could not.
    const broken = fate === 'evidence fails' ? { orgId: {} as never } : { orgId: ORG_A }
    await context.audit('org.role.create', { ...broken, targetType: 'role', targetId: id })
    if (fate === 'fails last') throw new Error('last')
    return changed(null)
  },
})

await describeStores('evidence', ALONE, (open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  it('is there exactly for what was changed, in whatever order things happen', async () => {
    const call: Call = {
      runtime: runtimeOver(store),
      principal: { kind: 'anonymous' },
      authority: {
        org: null,
        role: null,
        isMember: false,
        isSuperAdmin: false,
        permissions: new Set(),
        scopes: new Set(),
      },
      actor: { id: 'usr_ada', email: null, role: null, impersonatorId: null },
      request: { requestId: 'r', traceId: null, ip: null, userAgent: null },
      nowMs: systemClock.now(),
    }
    const random = createRandom(7).below
    const expected: string[] = []
    const fates: Record<Fate, number> = {
      commits: 0,
      'fails first': 0,
      'fails last': 0,
      'evidence fails': 0,
      'forgets evidence': 0,
    }
    for (let round = 0; round < 30; round++) {
      const work: Promise<unknown>[] = []
      for (let index = random(12); index >= 0; index--) {
        if (random(5) === 0) {
          work.push(store.system.write((tx) => sealBatch(tx, { rowsMax: 1 + random(5) })))
          continue
        }
        const fate = FATES[random(FATES.length)] ?? 'commits'
        const id = `role-${String(round).padStart(2, '0')}-${String(index).padStart(2, '0')}`
        fates[fate] += 1
        if (fate === 'commits') expected.push(id)
        const run = execute(makeRole, call, { path: {}, query: {}, body: { id, fate } } as never)
        work.push(fate === 'commits' ? run : expect(run).rejects.toThrow())
      }
      await Promise.all(work)
    }
    expect(Math.min(...Object.values(fates))).toBeGreaterThan(10)
    const found = await store.system.snapshot(async (db) => {
      const { roles } = identityTables(db)
      const { auditEvents } = auditTables(db)
      const { auditOutbox } = jobTables(db)
      return {
        changed: (await db.select({ id: roles.id }).from(roles)).map(({ id }) => id),
        sealed: (await db.select({ id: auditEvents.targetId }).from(auditEvents)).map(({ id }) => id),
        waiting: (await db.select({ event: auditOutbox.event }).from(auditOutbox)).map(
          ({ event }) => event['targetId'],
        ),
      }
    })
    expect(found.sealed.length).toBeGreaterThan(0)
    expect(found.changed.sort()).toEqual(expected.sort())
    expect([...found.sealed, ...found.waiting].sort()).toEqual(expected)
  })

  it('stops the change when there is no outbox to write to', async () => {
    const count = async () =>
      store.system.read(async (db) => (await db.rows<{ n: number }>(sql`SELECT count(*) AS n FROM roles`))[0]?.n)
    const before = await count()
    const write = store.system.write(async (tx) => {
      const { roles } = identityTables(tx)
      await tx.update(roles).set({ description: 'changed' })
      await tx.rows(sql`INSERT INTO audit_outbox (id) VALUES ('evt_incomplete') RETURNING 1`)
    })
    await expect(write).rejects.toThrow()
    const { roles } = identityTables(store)
    const rows = await store.system.read((db) => db.select({ description: roles.description }).from(roles))
    expect(rows.every(({ description }) => description === '')).toBe(true)
    expect(await count()).toEqual(before)
  })
})
