/** A retried request has its effect once and gets the same answer, whatever happened to the first one. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { type Floor, floor } from '../../../test/support/http.js'
import { Refusal } from '../errors.js'
import { jobTables } from '../jobs/tables.js'
import { anyone, permission, withStepUp } from '../operation/access.js'
import { changed, type SettleContext, type WriteContext } from '../operation/context.js'
import { command, fromHeader, none, noTenant, type Operation } from '../operation/operation.js'
import { strictObject } from '../operation/schema.js'
import type { Store } from '../store/db.js'
import { sweepIdempotencyKeys } from './idempotency.js'
import { httpTables } from './tables.js'

/** What `prepare` does in this test: something slow, or a crash. */
let during: () => Promise<void> = async () => undefined

const body = strictObject({ kind: Type.String(), refuse: Type.Optional(Type.String()) })

const create = (more: Partial<Operation>): Operation =>
  ({
    ...command({
      name: 'test.job.create',
      summary: 'Queue work',
      http: { method: 'post', path: '/jobs', status: 201 },
      access: permission('pipelines:write'),
      tenant: fromHeader,
      input: { body },
      output: Type.Object({ secret: Type.String() }),
      errors: ['CONFLICT', 'NOT_FOUND'],
      audit: none('a test'),
      idempotent: true,
      prepare: () => during(),
      run: async (context, input) => {
        await context.enqueue({ kind: input.body.kind, payload: {} })
        if (input.body.refuse === 'CONFLICT') throw new Refusal('CONFLICT', 'not now')
        if (input.body.refuse === 'NOT_FOUND') throw new Refusal('NOT_FOUND', 'never')
        return changed({ secret: `s3cret-${context.runtime.ids.next()}` }, { headers: { location: '/jobs/1' } })
      },
    }),
    ...more,
  }) as Operation

/** What `settle` does in this test. */
let after: () => Promise<void> = async () => undefined

/** A wish that is committed, and an answer that comes after it. */
const settled = create({
  name: 'test.job.settled',
  http: { method: 'post', path: '/settled', status: 201 },
  statusOf: ({ secret }: { secret: string }) => (secret.endsWith('waits') ? 202 : undefined),
  run: async (context: WriteContext) => {
    const uniqueKey = context.claimKey ?? 'none'
    await context.enqueue({ kind: 'wish', payload: {}, uniqueKey })
    return changed({ secret: uniqueKey.slice(0, 4) })
  },
  settle: async (context: SettleContext, { secret }: { secret: string }) => {
    await after()
    expect(context.claimKey?.slice(0, 4) ?? 'none').toBe(secret)
    await context.write(({ enqueue }) => enqueue({ kind: 'said', payload: {} }))
    return { secret: `${secret} waits` }
  },
} as Partial<Operation>)

await describeStores('Idempotency-Key', BOTH_DATABASES, (open) => {
  let store: Store
  let http: Floor
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    during = async () => undefined
    after = async () => undefined
    await store.system.write(async (tx) => {
      await tx.delete(jobTables(tx).jobs)
      await tx.delete(httpTables(tx).idempotencyKeys)
    })
    http = floor(store, [
      create({}),
      create({ name: 'test.job.secret', http: { method: 'post', path: '/secrets' }, secretOutput: true }),
      create({
        name: 'test.job.guarded',
        http: { method: 'post', path: '/guarded' },
        access: withStepUp(permission('pipelines:write')),
      }),
      settled,
      create({ name: 'test.job.open', http: { method: 'post', path: '/open' }, access: anyone(), tenant: noTenant }),
    ])
  })

  /** A call that is at work, until it is released. */
  const underWay = (key: string) =>
    new Promise<{ sent: ReturnType<typeof post>; release: () => void }>((begun) => {
      during = () => new Promise((release) => begun({ sent, release }))
      const sent = post(key)
    })
  const post = (
    key: string,
    sent: object = { kind: 'k' },
    more: { path?: string; as?: string; headers?: object } = {},
  ) =>
    http.call('POST', more.path ?? '/jobs', {
      body: sent,
      as: more.as ?? 'ann',
      headers: { 'idempotency-key': key, ...more.headers },
    })
  const jobs = () => store.system.read(async (db) => (await db.select().from(jobTables(db).jobs)).length)
  const rows = () => store.system.read((db) => db.select().from(httpTables(db).idempotencyKeys))

  describe('with an answer that is completed after the commit', () => {
    const ask = (key: string) => post(key, { kind: 'k' }, { path: '/settled' })

    it('replays what was said then, under its status', async () => {
      const first = await ask('s')
      const again = await ask('s')
      expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 202, 'true'])
      expect(await again.text()).toBe(await first.text())
      expect(await jobs()).toBe(2)
    })

    it('finds the wish by its key after a crash in between', async () => {
      after = () => new Promise(() => undefined)
      void ask('crash')
      await vi.waitFor(async () => expect(await jobs()).toBe(1), { timeout: 60_000 })
      after = async () => undefined
      expect((await ask('crash')).status).toBe(409)
      http.clock.advance(60_001)
      expect((await ask('crash')).status).toBe(202)
      // The wish of the first one, and what was said to the second.
      expect(await jobs()).toBe(2)
    })

    it('keeps a definite refusal, and frees the key for any other', async () => {
      const refusing = (code: 'NOT_FOUND' | 'CONFLICT') => async () => {
        throw new Refusal(code, 'said so')
      }
      after = refusing('NOT_FOUND')
      expect((await ask('no')).status).toBe(404)
      after = async () => undefined
      expect((await ask('no')).status).toBe(404)
      after = refusing('CONFLICT')
      expect((await ask('later')).status).toBe(409)
      after = async () => undefined
      expect((await ask('later')).status).toBe(202)
    })

    it('has no effect for a request whose claim was taken over', async () => {
      let free = () => {}
      const wait = new Promise<void>((resolve) => {
        free = resolve
      })
      during = () => wait
      const slow = ask('over')
      await vi.waitFor(async () => expect(await rows()).toHaveLength(1), { timeout: 60_000 })
      http.clock.advance(60_001)
      during = async () => undefined
      expect((await ask('over')).status).toBe(202)
      free()
      expect((await slow).status).toBe(409)
    })
  })

  it('replays status, body and headers, and does nothing again', async () => {
    const first = await post('a')
    const again = await post('a')
    expect(http.errors).toEqual([])
    expect(again.status).toBe(201)
    expect(await again.text()).toBe(await first.text())
    expect(again.headers.get('location')).toBe('/jobs/1')
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(http.errors).toEqual([])
    expect(await jobs()).toBe(1)
  })

  it('refuses another request under the key', async () => {
    await post('a')
    expect(await (await post('a', { kind: 'other' })).json()).toMatchObject({
      statusCode: 422,
      code: 'IDEMPOTENCY_MISMATCH',
    })
    expect(await jobs()).toBe(1)
  })

  it('takes the same body in another order for the same request', async () => {
    await post('a', { kind: 'k', refuse: 'no' })
    expect((await post('a', { refuse: 'no', kind: 'k' })).headers.get('idempotency-replayed')).toBe('true')
  })

  it('keeps keys of callers, organizations and paths apart', async () => {
    await post('a')
    await post('a', undefined, { path: '/secrets' })
    expect(await jobs()).toBe(2)
    expect((await rows()).length).toBe(2)
  })

  it('lets one of many at once run, and asks the others to come back', async () => {
    const { sent: first, release } = await underWay('a')
    const others = await Promise.all(Array.from({ length: 8 }, () => post('a')))
    for (const other of others) {
      expect(await other.json()).toMatchObject({ statusCode: 409, code: 'CONFLICT' })
      expect(other.headers.get('retry-after')).toBe('1')
    }
    release()
    expect((await first).status).toBe(201)
    expect(await jobs()).toBe(1)
  })

  it('runs again after a crash, once the lease is over, and the one that crashed cannot finish', async () => {
    const { sent: hangs, release } = await underWay('a')
    during = async () => undefined
    expect((await post('a')).status).toBe(409)
    http.clock.advance(60_000)
    const retried = await post('a')
    expect(retried.status).toBe(201)
    release()
    expect((await hangs).status).toBe(409)
    expect(await jobs()).toBe(1)
    expect(await (await post('a')).text()).toBe(await retried.text())
  })

  it('stores a definite refusal, and frees the key after one of the moment', async () => {
    expect((await post('gone', { kind: 'k', refuse: 'NOT_FOUND' })).status).toBe(404)
    expect((await post('gone', { kind: 'k', refuse: 'NOT_FOUND' })).headers.get('idempotency-replayed')).toBe('true')
    expect((await post('busy', { kind: 'k', refuse: 'CONFLICT' })).status).toBe(409)
    expect((await post('busy', { kind: 'k', refuse: 'CONFLICT' })).headers.get('idempotency-replayed')).toBeNull()
    during = () => Promise.reject(new Error('down'))
    expect((await post('bug')).status).toBe(500)
    during = async () => undefined
    expect((await post('bug')).status).toBe(201)
    expect(await jobs()).toBe(1)
  })

  it('replays without asking for another confirmation of identity', async () => {
    const headers = { 'x-step-up-token': 'one' }
    const first = await post('a', undefined, { path: '/guarded', headers })
    const again = await post('a', undefined, { path: '/guarded', headers })
    expect([first.status, again.status]).toEqual([200, 200])
    expect((await post('b', undefined, { path: '/guarded', headers })).status).toBe(401)
    expect((await post('b', undefined, { path: '/guarded', headers: { 'x-step-up-token': 'two' } })).status).toBe(200)
  })

  it('of a retry without the confirmation asks for a fresh one', async () => {
    const path = '/guarded'
    const first = await post('a', undefined, { path, headers: { 'x-step-up-token': 'one' } })
    const without = await post('a', undefined, { path })
    expect(await without.json()).toMatchObject({ statusCode: 401, code: 'STEP_UP_REQUIRED' })
    const fresh = { 'x-step-up-token': 'two' }
    const again = await post('a', undefined, { path, headers: fresh })
    expect(await again.text()).toBe(await first.text())
    // It was used up by that.
    expect((await post('b', undefined, { path, headers: fresh })).status).toBe(401)
    expect(await jobs()).toBe(1)
  })

  it.each(['annOfAnotherSession', 'annByToken', 'annImpersonated'])(
    'does not tell %s what the first credential was answered',
    async (as) => {
      const { data: mine } = (await (await post('a')).json()) as { data: { secret: string } }
      const other = await post('a', undefined, { as })
      expect(other.headers.get('idempotency-replayed')).toBeNull()
      expect(await other.text()).not.toContain(mine.secret)
    },
  )

  it('stores nothing that the database alone could tell', async () => {
    const { data } = (await (await post('a', undefined, { path: '/secrets' })).json()) as { data: { secret: string } }
    const [row] = await rows()
    expect(row?.state).toBe('done')
    expect(JSON.stringify(row)).not.toContain(data.secret)
    expect(Buffer.from(row?.answer ?? '', 'base64').toString('latin1')).not.toContain('s3cret')
  })

  it('is ignored by a public operation and refused when it is not a key', async () => {
    await post('a', undefined, { path: '/open' })
    await post('a', undefined, { path: '/open' })
    expect(await jobs()).toBe(2)
    expect((await post('x'.repeat(201))).status).toBe(400)
    expect(await rows()).toEqual([])
  })

  it('is forgotten after a day', async () => {
    await post('a')
    await post('b')
    http.clock.advance(86_400_000)
    expect((await post('a')).headers.get('idempotency-replayed')).toBeNull()
    expect(await sweepIdempotencyKeys(http.runtime, 1)).toBe(1)
    const left = await rows()
    expect(left.length).toBe(1)
    const held = await store.system.read((db) => {
      const { idempotencyKeys: t } = httpTables(db)
      return db
        .select()
        .from(t)
        .where(eq(t.keyHash, left[0]?.keyHash ?? ''))
    })
    expect(held[0]?.expiresAtMs).toBeGreaterThan(http.clock.now())
  })
})
