/**
 * Reservations, budgets, leases and keys of generations: counted once, held while open, and settled however they end.
 */
import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type GenerationApp, generationApp, said, scripted } from '../../../test/support/ai.js'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { quotaTables } from '../../quota/tables.js'
import type { Store, Tx } from '../../runtime/store/db.js'
import { hold, settle } from '../budget/budget.js'
import { draftFor } from '../fake/brain.js'
import { askingOf } from '../fake/model.js'
import { modelPort, type OpenModel, type Piece, refusedBy } from '../provider/model.js'
import { aiTables } from '../tables.js'
import { countCall, leaseMs } from './reserve.js'
import { sweepGenerations } from './sweep.js'

const BODY = { prompt: 'node service' }
const SETTINGS = {
  AI_OPEN_MAX: '2',
  AI_FIRST_TOKEN_MS: '200',
  AI_IDLE_MS: '200',
  ANTHROPIC_API_KEY: 'sk-of-the-server',
  BILLING_ENABLED: 'true',
  DEFAULT_QUOTA_TIER: 'team',
}

/** Closed until somebody opens it. */
function newGate(): { readonly gate: Promise<void>; readonly go: () => void } {
  let go: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  return { gate, go }
}

await describeStores('generations', BOTH_DATABASES, (open) => {
  let store: Store
  let app: GenerationApp
  let n = 0
  beforeAll(async () => {
    store = await open()
    app = await generationApp(store, { settings: SETTINGS })
  })
  afterEach(() => void app.ports.set(modelPort, undefined))
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const person = () => signUp(app, `ada${n++}`)
  const generate = (as: SignedIn, body: object = BODY) => app.call('POST', '/pipelines/generate', { as, body })
  const config = (as: SignedIn, body: object) => app.call('PUT', '/organization/ai-config', { as, body })
  const rowsOf = (orgId: string) =>
    store.system.read((db) => {
      const { aiGenerations: t } = aiTables(db)
      return db.select().from(t).where(eq(t.orgId, orgId)).orderBy(t.createdAtMs, t.id)
    })
  const spendOf = async (orgId: string) => {
    const { aiSpend: t } = aiTables(store)
    const [row] = await store.system.read((db) => db.select().from(t).where(eq(t.orgId, orgId)))
    return row
  }
  const callsOf = async (orgId: string) => {
    const { quotaPools: t } = quotaTables(store)
    const rows = await store.system.read((db) => db.select().from(t).where(eq(t.orgId, orgId)))
    return rows.find(({ type }) => type === 'aiCalls')?.used ?? 0
  }
  /** A model that waits until the test lets it continue. */
  const waiting = (): { open: OpenModel; go: () => void } => {
    const { gate, go } = newGate()
    const open: OpenModel = async () => ({
      async *ask(question): AsyncGenerator<Piece> {
        yield { kind: 'text', text: '' }
        await gate
        yield { kind: 'text', text: JSON.stringify(draftFor(askingOf(question))) }
        yield { kind: 'end', usage: { inputTokens: 1, outputTokens: 1 } }
      },
    })
    return { open, go }
  }

  it('count one call each, and none where the provider was not reached', async () => {
    const ada = await person()
    app.ports.set(modelPort, scripted({ fake: ['{"project":', '1}'] }))
    expect((await generate(ada)).code).toBe('AI_OUTPUT_INVALID')
    expect(await callsOf(ada.orgId)).toBe(1)
    app.ports.set(modelPort, scripted({ fake: [refusedBy('Fake', 503)] }))
    expect(await generate(ada)).toMatchObject({ status: 502, code: 'UPSTREAM_ERROR' })
    expect(await callsOf(ada.orgId)).toBe(1)
    // A model may start to answer after its generation was swept; the generation stays ended.
    for (const row of await rowsOf(ada.orgId)) await store.system.write((tx) => countCall(tx, app.runtime, row))
    expect(await callsOf(ada.orgId)).toBe(1)
    expect((await rowsOf(ada.orgId)).map(({ state }) => state)).toEqual(['failed', 'released'])
    // A question that no provider worked on costs nothing.
    expect((await spendOf(ada.orgId))?.heldTokens).toBe(0)
    expect((await rowsOf(ada.orgId)).at(-1)?.inputTokens).toBe(0)
  })

  it('of one person are few at a time, and open ones hold calls of the account', async () => {
    const ada = await person()
    const { open: model, go } = waiting()
    app.ports.set(modelPort, model)
    const running = [generate(ada), generate(ada)]
    await expect.poll(async () => (await rowsOf(ada.orgId)).filter(({ state }) => state === 'streaming').length).toBe(2)
    expect(await generate(ada)).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    go()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
    const bob = await person()
    const { quotaLimits: t } = quotaTables(store)
    await store.system.write((tx) =>
      tx.insert(t).values({ orgId: bob.orgId, type: 'aiCalls', override: 1, granted: 0, updatedAtMs: 0 }),
    )
    // Reserved but not counted yet: the next request is refused at once.
    const silent: OpenModel = async () => ({
      async *ask({ signal }): AsyncGenerator<Piece> {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        yield { kind: 'busy' }
      },
    })
    app.ports.set(modelPort, silent)
    const first = said(app, bob, '/pipelines/generate/stream', BODY)
    await expect.poll(async () => (await rowsOf(bob.orgId)).length).toBe(1)
    expect(await generate(bob)).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
    expect((await first).at(-2)?.data).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
    // The reservation was released, because the call was never counted.
    app.ports.set(modelPort, undefined)
    expect((await generate(bob)).status).toBe(200)
    expect(await generate(bob)).toMatchObject({ code: 'QUOTA_EXCEEDED' })
  })

  it('are canceled by a client that goes, and leave nothing held', async () => {
    const ada = await person()
    const { open: model } = waiting()
    app.ports.set(modelPort, model)
    const response = await app.http.request('/api/pipelines/generate/stream', {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await reader.read()
    await expect.poll(async () => (await rowsOf(ada.orgId))[0]?.state).toBe('streaming')
    await reader.cancel()
    await expect.poll(async () => (await rowsOf(ada.orgId))[0]?.state).toBe('cancelled')
    const spend = await spendOf(ada.orgId)
    expect(spend?.heldTokens).toBe(0)
    expect(spend?.spentTokens).toBeGreaterThan(8192)
  })

  it('are canceled by a client that goes before the first event, and keep no place', async () => {
    const ada = await person()
    const away = new AbortController()
    const asked = app.http.request('/api/pipelines/generate/stream', {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
      signal: away.signal,
    })
    await expect.poll(async () => (await rowsOf(ada.orgId)).length, { interval: 1 }).toBe(1)
    away.abort()
    await asked
    await expect.poll(async () => (await rowsOf(ada.orgId))[0]?.state, { timeout: 60_000 }).toBe('released')
    // The same for an answer that is closed before it is read.
    const response = await app.http.request('/api/pipelines/generate/stream', {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
    })
    await response.body?.cancel()
    await expect.poll(async () => (await rowsOf(ada.orgId))[1]?.state, { timeout: 60_000 }).toBe('released')
  })

  it('end within seconds for a person whose session ended, and leave nothing held', async () => {
    const slow = await generationApp(store, { settings: { ...SETTINGS, AI_IDLE_MS: '60000' } })
    const ada = await signUp(slow, `ada${n++}`)
    slow.ports.set(modelPort, waiting().open)
    const heard = said(slow, ada, '/pipelines/generate/stream', BODY)
    await expect.poll(async () => (await rowsOf(ada.orgId))[0]?.state).toBe('streaming')
    expect((await slow.call('POST', '/auth/logout', { as: ada })).status).toBeLessThan(300)
    expect((await heard).at(-2)).toMatchObject({ event: 'error', data: { code: 'REQUEST_TIMEOUT' } })
    expect((await rowsOf(ada.orgId))[0]?.state).toBe('cancelled')
    expect((await spendOf(ada.orgId))?.heldTokens).toBe(0)
    // The same without a stream.
    const bob = await signUp(slow, `bob${n++}`)
    const asked = slow.call('POST', '/pipelines/generate', { as: bob, body: BODY })
    await expect.poll(async () => (await rowsOf(bob.orgId))[0]?.state).toBe('streaming')
    await slow.call('POST', '/auth/logout', { as: bob })
    expect(await asked).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
    expect((await rowsOf(bob.orgId))[0]?.state).toBe('cancelled')
    expect(slow.errors.map(String)).toEqual([])
  })

  it('whose process died are settled at what they held, and their drafts fade', async () => {
    const ada = await person()
    const id = (await generate(ada)).data.generationId
    const before = (await spendOf(ada.orgId))?.spentTokens ?? 0
    const { aiGenerations: g, aiSpend: s } = aiTables(store)
    const month = new Date(app.clock.now()).toISOString().slice(0, 7)
    await store.system.write(async (tx) => {
      const dead = {
        state: 'streaming',
        leaseUntilMs: app.clock.now() - 1,
        heldTokens: 500,
        heldMicroUsd: 7,
        heldMonth: month,
      } as const
      await tx.update(g).set(dead).where(eq(g.id, id))
      await tx.update(s).set({ heldTokens: 500, heldMicroUsd: 7 }).where(eq(s.orgId, ada.orgId))
    })
    await store.system.write((tx) => sweepGenerations(tx, app.clock.now(), 100))
    expect(await spendOf(ada.orgId)).toMatchObject({ heldTokens: 0, heldMicroUsd: 0, spentTokens: before + 500 })
    expect(await rowsOf(ada.orgId)).toMatchObject([{ state: 'failed' }])
    await store.system.write((tx) => sweepGenerations(tx, app.clock.now() + 31 * 86_400_000, 100))
    expect(await rowsOf(ada.orgId)).toMatchObject([{ result: null }])
    await store.system.write((tx) => sweepGenerations(tx, app.clock.now() + 401 * 86_400_000, 100))
    expect(await rowsOf(ada.orgId)).toEqual([])
  })

  it('that fail after a fallback say who failed, and whose key paid', async () => {
    const ada = await person()
    await config(ada, { anthropic: 'sk-of-ada-0123456789' })
    app.ports.set(modelPort, scripted({ fake: [refusedBy('Fake', 503)], anthropic: ['no object'] }))
    expect((await generate(ada, { ...BODY, fallbackProviders: ['anthropic'] })).code).toBe('AI_OUTPUT_INVALID')
    const model = 'claude-sonnet-5-5'
    expect(await rowsOf(ada.orgId)).toMatchObject([{ state: 'failed', provider: 'anthropic', model, keySource: 'org' }])
  })

  it('that failed keep their prompt no longer than a draft', async () => {
    const ada = await person()
    await config(ada, { keepPrompts: true })
    app.ports.set(modelPort, scripted({ fake: ['no object'] }))
    expect((await generate(ada)).code).toBe('AI_OUTPUT_INVALID')
    const sweep = (days: number) =>
      store.system.write((tx) => sweepGenerations(tx, app.clock.now() + days * 86_400_000, 100))
    await sweep(29)
    expect(await rowsOf(ada.orgId)).toMatchObject([{ state: 'failed', prompt: BODY.prompt, result: null }])
    await sweep(31)
    expect(await rowsOf(ada.orgId)).toMatchObject([{ state: 'failed', prompt: null }])
  })

  it('keep their lease round by round, and end once when their process is taken for dead', async () => {
    const own = await generationApp(store, { settings: SETTINGS })
    const lease = leaseMs(own.runtime)
    const sweep = () => store.system.write((tx) => sweepGenerations(tx, own.clock.now(), 100))
    /** The first answer has a fault, so that there is a second round. */
    const twoRounds = (meanwhile: readonly (() => Promise<unknown>)[]): OpenModel => {
      let round = 0
      return async () => ({
        async *ask(question): AsyncGenerator<Piece> {
          const at = round++
          yield { kind: 'text', text: at === 0 ? '{' : JSON.stringify(draftFor(askingOf(question))) }
          await meanwhile[at]?.()
          yield { kind: 'end', usage: { inputTokens: 1, outputTokens: 1 } }
        },
      })
    }
    const later = async () => {
      own.clock.advance(lease - 1000)
      await sweep()
    }
    const ada = await signUp(own, `ada${n++}`)
    own.ports.set(modelPort, twoRounds([later, later]))
    expect(await own.call('POST', '/pipelines/generate', { as: ada, body: BODY })).toMatchObject({ status: 200 })
    expect(await spendOf(ada.orgId)).toMatchObject({ heldTokens: 0, spentTokens: 4 })
    const bob = await signUp(own, `bob${n++}`)
    const dead = async () => {
      own.clock.advance(lease + 1000)
      await sweep()
    }
    own.ports.set(modelPort, twoRounds([async () => undefined, dead]))
    const late = await own.call('POST', '/pipelines/generate', { as: bob, body: BODY })
    expect(late).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
    expect(await rowsOf(bob.orgId)).toMatchObject([{ state: 'failed', errorCode: 'INTERNAL_ERROR', result: null }])
    const spend = await spendOf(bob.orgId)
    expect(spend?.heldTokens).toBe(0)
    // The second round counts as the whole hold, once.
    expect(spend?.spentTokens).toBeGreaterThan(8192)
    expect((await rowsOf(bob.orgId)).map((row) => row.inputTokens + row.outputTokens)).toEqual([spend?.spentTokens])
    expect(own.errors.map(String)).toEqual([])
  })

  it('are left alone by a sweep that waited for the renewal of their lease', async () => {
    const ada = await person()
    await generate(ada)
    const [row] = await rowsOf(ada.orgId)
    if (row === undefined) throw new Error('no generation')
    const { aiGenerations: t } = aiTables(store)
    const nowMs = app.clock.now()
    const set = (tx: Tx, leaseUntilMs: number) =>
      tx.update(t).set({ state: 'streaming', leaseUntilMs }).where(eq(t.id, row.id))
    await store.system.write((tx) => set(tx, nowMs - 1))
    const { gate, go } = newGate()
    let holds = false
    const renewing = store.system.write(async (tx) => {
      await set(tx, nowMs + 60_000)
      holds = true
      await gate
    })
    await expect.poll(() => holds).toBe(true)
    const sweeping = store.system.write((tx) => sweepGenerations(tx, nowMs, 100))
    await setTimeout(100)
    go()
    await Promise.all([renewing, sweeping])
    expect((await rowsOf(ada.orgId)).map(({ state }) => state)).toEqual(['streaming'])
    await store.system.write((tx) => set(tx, nowMs - 1))
    await store.system.write((tx) => sweepGenerations(tx, nowMs, 100))
    expect((await rowsOf(ada.orgId)).map(({ state }) => state)).toEqual(['failed'])
  })

  it('settle a hold once, in the month that it was made in, however many ask at once', async () => {
    const ada = await person()
    await generate(ada)
    const [row] = await rowsOf(ada.orgId)
    if (row === undefined) throw new Error('no generation')
    const before = await spendOf(ada.orgId)
    const { aiSpend: t, aiGenerations: g } = aiTables(store)
    const next = {
      orgId: ada.orgId,
      month: '9999-12',
      heldTokens: 900,
      spentTokens: 1,
      heldMicroUsd: 90,
      spentMicroUsd: 1,
    }
    const nowMs = app.clock.now()
    await store.system.write(async (tx) => {
      await tx.insert(t).values(next)
      await tx.update(g).set({ state: 'streaming' }).where(eq(g.id, row.id))
      await hold(tx, row, { tokens: 100, microUsd: 10 }, { nowMs, leaseUntilMs: nowMs + 1000 })
    })
    const used = { inputTokens: 30, outputTokens: 40, microUsd: 5 }
    const settled = await Promise.all(
      Array.from({ length: 16 }, () => store.system.write((tx) => settle(tx, row, used))),
    )
    expect(settled.filter((each) => each !== null)).toEqual([used])
    const months = await store.system.read((db) => db.select().from(t).where(eq(t.orgId, ada.orgId)).orderBy(t.month))
    expect(months).toMatchObject([
      { heldTokens: 0, heldMicroUsd: 0, spentTokens: (before?.spentTokens ?? 0) + 70 },
      next,
    ])
  })

  it('hold nothing once they ended, and one amount at a time', async () => {
    const ada = await person()
    await generate(ada)
    const [row] = await rowsOf(ada.orgId)
    if (row === undefined) throw new Error('no generation')
    const before = await spendOf(ada.orgId)
    const nowMs = app.clock.now()
    const held = (tokens: number) =>
      store.system
        .write((tx) => hold(tx, row, { tokens, microUsd: 0 }, { nowMs, leaseUntilMs: nowMs + 1000 }))
        .then(
          () => 'held',
          ({ code }) => code,
        )
    expect(await held(100)).toBe('REQUEST_TIMEOUT')
    expect(await spendOf(ada.orgId)).toEqual(before)
    const { aiGenerations: g } = aiTables(store)
    await store.system.write((tx) => tx.update(g).set({ state: 'streaming' }).where(eq(g.id, row.id)))
    expect([await held(100), await held(60)]).toEqual(['held', 'REQUEST_TIMEOUT'])
    expect(await spendOf(ada.orgId)).toMatchObject({ heldTokens: 100 })
    await store.system.write((tx) => sweepGenerations(tx, nowMs + 2000, 100))
    expect(await spendOf(ada.orgId)).toMatchObject({ heldTokens: 0, spentTokens: (before?.spentTokens ?? 0) + 100 })
    expect(await held(100)).toBe('REQUEST_TIMEOUT')
  })

  it('law: what a month holds is what open generations hold, however holds, settlements and sweeps meet', async () => {
    const ada = await person()
    await generate(ada)
    const [row] = await rowsOf(ada.orgId)
    if (row === undefined) throw new Error('no generation')
    const { aiGenerations: g } = aiTables(store)
    let nowMs = app.clock.now()
    for (let round = 0; round < 12; round++) {
      nowMs += 10_000
      const open = { state: 'streaming', leaseUntilMs: nowMs + (round % 3 === 0 ? -1 : 1000) } as const
      await store.system.write((tx) => tx.update(g).set(open).where(eq(g.id, row.id)))
      const amount = { tokens: 100 + round, microUsd: 7 }
      const used = { inputTokens: 1, outputTokens: 1, microUsd: 1 }
      const at = { nowMs, leaseUntilMs: nowMs + 1000 }
      await Promise.allSettled([
        store.system.write((tx) => hold(tx, row, amount, at)),
        store.system.write((tx) => sweepGenerations(tx, nowMs, 100)),
        store.system.write((tx) => settle(tx, row, used)),
        store.system.write((tx) => hold(tx, row, { ...amount, tokens: 50 }, at)),
        store.system.write((tx) => settle(tx, row, 'unknown')),
      ])
      const [now] = await rowsOf(ada.orgId)
      const spend = await spendOf(ada.orgId)
      expect([spend?.heldTokens, spend?.heldMicroUsd]).toEqual([now?.heldTokens, now?.heldMicroUsd])
      expect(spend?.spentTokens).toBe((now?.inputTokens ?? 0) + (now?.outputTokens ?? 0))
      if (now?.heldMonth !== null) expect(['reserved', 'streaming']).toContain(now?.state)
    }
  })

  it('end by their time also while the server works on a piece, and the process goes on', async () => {
    const short = { ...SETTINGS, AI_TOTAL_MS: '100', AI_FIRST_TOKEN_MS: '60000' }
    const other = await generationApp(store, { settings: short })
    const ada = await signUp(other, `ada${n++}`)
    other.ports.set(modelPort, async () => ({
      async *ask({ signal }): AsyncGenerator<Piece> {
        // Blocks the event loop, so that the time limit passes before the server notices.
        for (const end = performance.now() + 150; performance.now() < end; );
        yield { kind: 'text', text: '{' }
        signal.throwIfAborted()
        yield { kind: 'end', usage: null }
      },
    }))
    const answer = await other.call('POST', '/pipelines/generate', { as: ada, body: BODY })
    expect(answer).toMatchObject({ status: 504, code: 'UPSTREAM_TIMEOUT' })
    // An unhandled rejection would end the process by now and fail this file.
    await new Promise((resolve) => setImmediate(resolve))
    expect((await spendOf(ada.orgId))?.heldTokens).toBe(0)
  })

  it('whose process died keep no place of the person, also before they are swept', async () => {
    const ada = await person()
    for (const _ of [1, 2]) expect((await generate(ada)).status).toBe(200)
    const { aiGenerations: t } = aiTables(store)
    const dead = { state: 'streaming', leaseUntilMs: app.clock.now() - 1 } as const
    await store.system.write((tx) => tx.update(t).set(dead).where(eq(t.orgId, ada.orgId)))
    expect((await generate(ada)).status).toBe(200)
  })

  it('stay within a budget of money together, also of a team', async () => {
    const ada = await person()
    const made = await app.call('POST', '/organization', {
      as: ada,
      body: { name: `Team ${n}`, parentOrgId: ada.orgId },
    })
    const team = { 'x-org-id': made.data.organization.id }
    await config(ada, { monthlyMicroUsd: 60_000 })
    const inTeam = () => app.call('POST', '/pipelines/generate', { as: ada, body: BODY, headers: team })
    const { open: waits, go } = waiting()
    app.ports.set(modelPort, waits)
    const first = generate(ada)
    await vi.waitFor(async () => expect((await spendOf(ada.orgId))?.heldMicroUsd).toBeGreaterThan(0), {
      interval: 2,
      timeout: 60_000,
    })
    // The first hold leaves too little for a second.
    const second = await inTeam()
    go()
    expect([(await first).status, second.code]).toEqual([200, 'AI_BUDGET_EXCEEDED'])
    app.ports.set(modelPort, undefined)
    expect((await inTeam()).status).toBe(200)
    const spend = await spendOf(ada.orgId)
    expect(spend?.heldMicroUsd).toBe(0)
    expect(spend?.spentMicroUsd).toBeLessThanOrEqual(60_000)
  })

  it('use the key of the organization where it has one, and else that of the server', async () => {
    const ada = await person()
    const keys: string[] = []
    app.ports.set(modelPort, async (opening) => {
      keys.push(opening.key)
      return scripted({ anthropic: ['good'] })(opening)
    })
    const body = { ...BODY, provider: 'anthropic' }
    expect((await generate(ada, body)).status).toBe(200)
    await config(ada, { anthropic: 'sk-of-ada-0123456789' })
    expect((await generate(ada, body)).status).toBe(200)
    expect(keys).toEqual(['sk-of-the-server', 'sk-of-ada-0123456789'])
    expect((await rowsOf(ada.orgId)).map(({ keySource }) => keySource)).toEqual(['server', 'org'])
  })

  it('use the key of the organization, else of its root, and of nobody else', async () => {
    const [ada, eve] = [await person(), await person()]
    const keys: string[] = []
    app.ports.set(modelPort, async (opening) => {
      keys.push(opening.key)
      return scripted({ openai: ['good'] })(opening)
    })
    await config(eve, { openai: 'sk-of-eve-0123456789' })
    const body = { ...BODY, provider: 'openai' }
    expect(await generate(ada, body)).toMatchObject({ status: 503, code: 'AI_NOT_CONFIGURED' })
    const set = await config(ada, { openai: 'sk-of-ada-0123456789' })
    expect(set.data.config.keys).toMatchObject([{ provider: 'openai', hint: '6789' }])
    expect(JSON.stringify(set.body)).not.toContain('sk-of-ada')
    const made = await app.call('POST', '/organization', {
      as: ada,
      body: { name: `Team ${n}`, parentOrgId: ada.orgId },
    })
    const headers = { 'x-org-id': made.data.organization.id }
    expect((await generate(ada, body)).status).toBe(200)
    expect((await app.call('POST', '/pipelines/generate', { as: ada, headers, body })).status).toBe(200)
    expect((await generate(ada, { ...body, apiKey: 'sk-of-the-request' })).status).toBe(200)
    expect(keys).toEqual(['sk-of-ada-0123456789', 'sk-of-ada-0123456789', 'sk-of-the-request'])
    const stored = JSON.stringify([
      await rowsOf(ada.orgId),
      await store.system.read((db) => db.select().from(aiTables(db).aiKeys)),
    ])
    expect(stored).not.toMatch(/sk-of/)
    const list = await app.call('GET', '/pipelines/providers', { as: ada })
    expect(list.data.providers.find(({ id }: { id: string }) => id === 'openai')).toMatchObject({
      configured: true,
      keySource: 'org',
    })
    expect((await app.call('GET', '/organization/ai-config', { as: eve })).data.config.keys.length).toBe(1)
  })
})
