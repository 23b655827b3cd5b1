/**
 * Goal: the operations answer as spec billing-audit 22, 24 and 25 define, and no organization sees another's events.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  ACTIONS,
  BundleVerifier,
  checkNote,
  checkTlogProof,
  parseCheckpoint,
  parseVerifierKey,
  verifyConsistency,
  verifyInclusion,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../test/support/audit/evidence.js'
import { admin, auditHttp, type Caller, service } from '../../test/support/audit/http.js'
import { BOTH_DATABASES, describeStores } from '../../test/support/describe-stores.js'
import { systemClock, toIso } from '../runtime/clock.js'
import type { Sequencer } from '../runtime/jobs/sequencer.js'
import { noMetrics } from '../runtime/metrics/port.js'
import type { Runtime } from '../runtime/operation/context.js'
import type { Store } from '../runtime/store/db.js'
import { auditSequencer } from './chain/start-sequencer.js'
import { signMoved } from './checkpoint/sign.js'

const PYTHON_VERIFIER = fileURLToPath(new URL('../../../../examples/verify-audit/verify.py', import.meta.url))

const callers: Record<string, Caller> = {
  a: admin(ORG_A),
  b: admin(ORG_B),
  poor: admin(ORG_A, { features: [] }),
  member: admin(ORG_A, { permissions: [] }),
  root: admin('0190a1b2-0000-7000-8000-0000000000ff', { isSuperAdmin: true, features: [], permissions: [] }),
  service: service(null),
  other: service(null, 'other'),
  bound: service(ORG_A, 'bound'),
}

await describeStores('audit operations', BOTH_DATABASES, (open) => {
  let store: Store
  let runtime: Runtime
  let sequencer: Sequencer
  let http: ReturnType<typeof auditHttp>
  const failures: unknown[] = []

  beforeAll(async () => {
    store = await open()
    sequencer = auditSequencer({
      store,
      clock: systemClock,
      metrics: noMetrics,
      onError: (error) => void failures.push(error),
    })
    runtime = runtimeOver(store, systemClock, () => sequencer.wake())
    http = auditHttp(runtime, callers)
    await store.system.write(async (tx) => {
      for (let index = 0; index < 12; index++) {
        await evidence(tx, runtime, ORG_A, index % 2 === 0 ? 'org.update' : 'user.login.failed', {
          targetType: 'thing',
          targetId: `canary-a-${index}`,
        })
      }
      await evidence(tx, runtime, ORG_B, 'org.update', { targetId: 'canary-b' })
      // A person of B acts on A.
      await evidence(tx, runtime, ORG_B, 'admin.org.tier.update', { targetId: 'canary-ab', affectedOrgId: ORG_A })
    })
    await sequencer.drain(10_000)
    await signMoved(runtime)
  })
  afterAll(async () => {
    await sequencer.stop()
    await store.close()
    expect(failures).toEqual([])
    expect(http.errors).toEqual([])
  })

  it('lists what was done in and to the own organization, the newest first', async () => {
    const { status, data } = await http.request('a', '/audit?limit=100')
    expect(status).toBe(200)
    const targets = data.events.map(({ targetId }: { targetId: string }) => targetId)
    expect(targets).toContain('canary-ab')
    expect(targets).not.toContain('canary-b')
    expect(data.pagination).toMatchObject({ total: 13, hasMore: false })
    const foreign = data.events.find(({ targetId }: { targetId: string }) => targetId === 'canary-ab')
    expect(foreign).toMatchObject({ ip: null, userAgent: null, actorEmail: 'ada@example.com', orgId: ORG_B })
    expect(data.events.find(({ targetId }: { targetId: string }) => targetId === 'canary-a-1').ip).toBe('192.0.2.7')
    const b = await http.request('b', '/audit?limit=100')
    expect(b.data.events.map(({ targetId }: { targetId: string }) => targetId).sort()).toEqual([
      'canary-ab',
      'canary-b',
    ])
    expect(b.text).not.toContain('canary-a-')
  })

  it('finds one event by its id, and none of another organization', async () => {
    const { data } = await http.request('a', '/audit?limit=100')
    const { id } = data.events[5]
    const found = await http.request('a', `/audit?id=${id}`)
    expect(found.data.events).toEqual([data.events[5]])
    expect(found.data.pagination).toMatchObject({ total: 1, hasMore: false })
    expect((await http.request('b', `/audit?id=${id}`)).data.events).toEqual([])
    expect((await http.request('root', `/audit?id=${id}`)).data.events).toHaveLength(1)
    expect((await http.request('a', '/audit?id=evt_none')).data.events).toEqual([])
    expect((await http.request('a', `/audit?id=${id}&action=nothing`)).data.events).toEqual([])
  })

  it('ignores the organizations that an administrator names, and follows those of a system administrator', async () => {
    const own = await http.request('a', `/audit?limit=100&orgId=${ORG_B}&affectedOrgId=${ORG_B}`)
    expect(own.data.pagination.total).toBe(13)
    expect(own.text).not.toContain('"canary-b"')
    const all = await http.request('root', `/audit?limit=100&orgId=${ORG_B}`)
    expect(all.data.events.map(({ targetId }: { targetId: string }) => targetId).sort()).toEqual([
      'canary-ab',
      'canary-b',
    ])
    expect(all.data.events[0].ip).toBe('192.0.2.7')
  })

  it('brings the offset into its bounds, and refuses an order that it does not have', async () => {
    const asked = (query: string) => http.request('a', `/audit?${query}`)
    expect((await asked('offset=-3')).data.pagination.offset).toBe(0)
    expect((await asked('offset=100000')).data.pagination.offset).toBe(10_000)
    expect((await asked('sortBy=createdAt&sortOrder=desc')).status).toBe(200)
    for (const query of ['offset=x', 'sortBy=zzz', 'sortOrder=up']) expect((await asked(query)).status).toBe(400)
  })

  it('pages by offset and by cursor through the same rows', async () => {
    const ids = async (path: string) => {
      const { data } = await http.request('a', path)
      return data.events.map(({ id }: { id: string }) => id) as string[]
    }
    const all = await ids('/audit?limit=100')
    const byOffset: string[] = []
    for (let offset = 0; offset < 15; offset += 5) byOffset.push(...(await ids(`/audit?limit=5&offset=${offset}`)))
    expect(byOffset).toEqual(all)
    const byCursor: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { data } = await http.request('a', `/audit?limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`)
      byCursor.push(...data.events.map(({ id }: { id: string }) => id))
      cursor = data.pagination.nextCursor
      expect(data.pagination.total).toBe(13)
    }
    expect(byCursor).toEqual(all)
  })

  it('goes through the trail from the oldest on too, and takes no cursor of the other order', async () => {
    const order = async (sortOrder: string) => {
      const found: { id: string }[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`
        const { data } = await http.request('a', `/audit?limit=4&sortOrder=${sortOrder}${more}`)
        found.push(...data.events)
        cursor = data.pagination.nextCursor
      }
      return found.map(({ id }) => id)
    }
    const newestFirst = await order('desc')
    expect(newestFirst).toHaveLength(13)
    expect(await order('asc')).toEqual(newestFirst.reverse())
    const { nextCursor } = (await http.request('a', '/audit?limit=4')).data.pagination
    expect((await http.request('a', `/audit?limit=4&sortOrder=asc&cursor=${nextCursor}`)).status).toBe(400)
  })

  it('filters by part of an action, outcome, target, time', async () => {
    const total = async (query: string) => (await http.request('a', `/audit?${query}`)).data.pagination.total
    expect(await total('action=LOGIN')).toBe(6)
    expect(await total('action=nothing-like-it')).toBe(0)
    expect(await total('outcome=failure')).toBe(6)
    expect(await total('targetId=canary-a-3')).toBe(1)
    expect(await total('actorId=usr_ada')).toBe(13)
    expect(await total('from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z')).toBe(0)
    const { events } = (await http.request('a', '/audit?limit=100')).data
    const [last, day] = [events.at(0), events.at(-1)].map(({ createdAt }) => createdAt.slice(0, 10))
    const before = toIso(Date.parse(day) - 1).slice(0, 10)
    expect(await total(`from=${day}&to=${last}`)).toBe(13)
    expect(await total(`to=${before}`)).toBe(0)
    for (const query of ['from=yesterday', 'to=2026-02-30', `from=${day}&to=${before}`, 'to=2016-12-31T23:59:60Z']) {
      expect((await http.request('a', `/audit?${query}`)).status, query).toBe(400)
    }
    expect((await http.request('a', '/audit?outcome=maybe')).status).toBe(400)
    expect((await http.request('a', '/audit?cursor=abc')).status).toBe(400)
    for (const place of [
      ['\0', 'a'],
      ['2026', 'a\0'],
    ]) {
      const cursor = Buffer.from(JSON.stringify(['desc', ...place, 1, 1])).toString('base64url')
      expect((await http.request('a', `/audit?cursor=${cursor}`)).status).toBe(400)
    }
  })

  it('shows events that wait, without a number', async () => {
    const quiet = runtimeOver(store)
    await store.system.write(async (tx) => {
      await evidence(tx, quiet, ORG_A, 'org.update', { targetId: 'waiting-a' })
      await evidence(tx, quiet, ORG_B, 'org.update', { targetId: 'waiting-b' })
    })
    const { data, text } = await http.request('a', '/audit?limit=2')
    expect(data.events[0]).toMatchObject({ targetId: 'waiting-a', seq: null, hash: null, outcome: 'success' })
    expect(data.events[1].seq).toBe(13)
    expect(text).not.toContain('waiting-b')
    // Unsealed events are the newest in either order, and appear on the page where they belong.
    const turned = async (query: string) =>
      (await http.request('a', `/audit?sortOrder=asc&${query}`)).data as {
        events: { seq: number | null; targetId: string }[]
        pagination: { total: number; hasMore: boolean; nextCursor?: string }
      }
    const all = await turned('limit=100')
    expect(all.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, null])
    const most = await turned('limit=13')
    expect([most.events.at(-1)?.seq, most.pagination.total, most.pagination.hasMore]).toEqual([13, 14, true])
    const rest = await turned(`limit=13&cursor=${most.pagination.nextCursor}`)
    expect(rest.events.map(({ targetId }) => targetId)).toEqual(['waiting-a'])
    expect([rest.pagination.hasMore, (await turned('offset=13')).events.length]).toEqual([false, 1])
    expect((await http.request('a', '/audit/verify')).data).toMatchObject({ verdict: 'valid', pending: 1 })
    await sequencer.drain(10_000)
    expect((await http.request('a', '/audit?targetId=waiting-a')).data.events[0].seq).toBe(14)
  })

  it('needs the permission and the feature', async () => {
    expect((await http.request(null, '/audit')).status).toBe(401)
    expect((await http.request('member', '/audit')).status).toBe(403)
    expect((await http.request('poor', '/audit')).body.details).toMatchObject({ requiredFeature: 'audit_log' })
    expect((await http.request('poor', '/audit/export')).status).toBe(403)
    expect((await http.request('poor', '/audit/verify')).status).toBe(200)
    expect((await http.post('a', '/audit/erase', { userId: 'usr_ada', reason: 'asked for' })).status).toBe(403)
    expect((await http.post('a', '/audit/events', { action: 'plugin.upload', actorId: 'x' })).status).toBe(403)
    expect((await http.post(null, '/audit/events', { action: 'plugin.upload', actorId: 'x' })).status).toBe(401)
  })

  it('verifies the own chain only, and asks a system administrator which', async () => {
    const own = await http.request('a', '/audit/verify')
    expect(own.data).toMatchObject({ ok: true, verdict: 'valid', chain: ORG_A, firstSeq: 1, erased: 0 })
    for (const path of ['verify', 'checkpoint', 'proof', 'export']) {
      const query = path === 'proof' ? '&seq=1' : ''
      expect((await http.request('a', `/audit/${path}?orgId=${ORG_B}${query}`)).status).toBe(404)
      expect(
        (await http.request('root', `/audit/${path}?x=1`.replace('?x=1', query === '' ? '' : '?seq=1'))).status,
      ).toBe(400)
      expect((await http.request('root', `/audit/${path}?orgId=${ORG_B}${query}`)).status).toBe(200)
    }
    const unknown = await http.request('root', '/audit/verify?orgId=0190a1b2-0000-7000-8000-0000000000ee')
    expect(unknown.data).toMatchObject({ ok: true, count: 0, verdict: 'cannot-tell' })
  })

  it('serves checkpoints and keys as text that verify, and proofs that lead to them', async () => {
    const key = parseVerifierKey(nodeCrypto, (await http.request(null, '/audit/key')).text.trim())
    if (key === null) throw new Error('the key must parse')
    const answer = await http.request('a', '/audit/checkpoint')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const checkpoint = parseCheckpoint(answer.text)
    if (checkpoint === null) throw new Error('the checkpoint must parse')
    expect(checkNote(nodeCrypto, checkpoint.note, [key]).verified).toHaveLength(1)
    const { size, root } = checkpoint
    for (const seq of [1, 7, size]) {
      const { data } = await http.request('a', `/audit/proof?seq=${seq}`)
      const claim = { eventHash: data.eventHash, index: seq - 1, size, root, proof: data.hashes }
      expect(verifyInclusion(nodeCrypto, claim)).toBe(true)
      expect(
        checkTlogProof(nodeCrypto, { index: seq - 1, path: data.hashes, checkpoint: answer.text }, data.eventHash)
          .included,
      ).toBe(true)
    }
    await store.system.write(async (tx) => void (await evidence(tx, runtime, ORG_A, 'org.update')))
    await sequencer.drain(10_000)
    await signMoved(runtime)
    const grown = parseCheckpoint((await http.request('a', '/audit/checkpoint')).text)
    if (grown === null) throw new Error('the checkpoint must parse')
    const { data } = await http.request('a', `/audit/proof?from=${size}`)
    expect(
      verifyConsistency(nodeCrypto, {
        first: size,
        firstRoot: root,
        second: grown.size,
        secondRoot: grown.root,
        proof: data.hashes,
      }),
    ).toBe(true)
    expect((await http.request('a', '/audit/proof?seq=9999')).status).toBe(400)
    expect((await http.request('a', '/audit/proof?seq=1&from=1')).status).toBe(400)
    expect((await http.request('a', '/audit/proof')).status).toBe(400)
  })

  it('takes an event of a service in, once, and answers with its number', async () => {
    const event = { action: 'plugin.upload', actorId: 'usr_bob', orgId: ORG_B, targetId: 'plg', idempotencyKey: 'k1' }
    const first = await http.post('service', '/audit/events', event)
    expect(first.status).toBe(200)
    expect(first.data).toMatchObject({ duplicate: false, seq: expect.any(Number) })
    const again = await http.post('service', '/audit/events', event)
    expect(again.data).toEqual({ ...first.data, duplicate: true })
    const conflict = await http.post('service', '/audit/events', { ...event, targetId: 'other' })
    expect([conflict.status, conflict.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    // The key belongs to one service: another service cannot suppress the event with it.
    expect((await http.post('other', '/audit/events', event)).data.duplicate).toBe(false)
    const { idempotencyKey: _key, ...bare } = event
    const byHeader = await http.post('service', '/audit/events', bare, { 'Idempotency-Key': 'k1' })
    expect(byHeader.data).toEqual({ ...first.data, duplicate: true })
    const { data } = await http.request('b', '/audit?action=plugin.upload')
    expect(data.events).toHaveLength(2)
    expect(data.events[0]).toMatchObject({ actorId: 'usr_bob', orgId: ORG_B, affectedOrgId: ORG_B, outcome: 'success' })
  })

  it('refuses what a service may not say', async () => {
    const event = { action: 'plugin.upload', actorId: 'usr_bob', orgId: ORG_A }
    const send = async (more: object, token = 'service') =>
      (await http.post(token, '/audit/events', { ...event, ...more })).status
    for (const action of [...ACTIONS.values()].filter(({ emitter }) => emitter === 'platform').slice(0, 5)) {
      expect(await send({ action: action.name })).toBe(400)
    }
    expect(await send({ action: 'Plugin.Upload' })).toBe(400)
    expect(await send({ occurredAt: new Date(Date.now() + 10 * 60_000).toISOString() })).toBe(400)
    expect(await send({ orgId: undefined })).toBe(403)
    expect(await send({ orgId: ORG_B }, 'bound')).toBe(403)
    expect(await send({ affectedOrgId: ORG_B }, 'bound')).toBe(403)
    expect(await send({ orgId: undefined }, 'bound')).toBe(200)
    expect(await send({ unknown: 1 })).toBe(400)
    expect(await send({ actorId: undefined })).toBe(400)
    expect(await send({ details: { name: 'x'.repeat(300_000) } })).toBe(413)
  })

  it('takes batches in, item by item', async () => {
    const event = (n: number) => ({
      action: 'pipeline.create',
      actorId: 'usr_bob',
      orgId: ORG_A,
      idempotencyKey: `batch-${n}`,
    })
    const events = [event(1), { ...event(2), action: 'user.login' }, event(3), event(1)]
    const { status, data } = await http.post('service', '/audit/events', { events })
    expect(status).toBe(200)
    expect(data.results.map((item: { status: number }) => item.status)).toEqual([200, 400, 200, 200])
    expect(data.results[1]).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(data.results[3]).toEqual({ ...data.results[0], duplicate: true })
    expect(data.results[2].seq).toBe(data.results[0].seq + 1)
    const many = await http.post('service', '/audit/events', {
      events: Array.from({ length: 101 }, (_, n) => event(n)),
    })
    expect(many.status).toBe(400)
  })

  it('keeps no personal field that a service may not vouch for, and scrubs', async () => {
    await http.post('service', '/audit/events', {
      action: 'pipeline.delete',
      actorId: 'usr_bob',
      orgId: ORG_A,
      actorRole: 'superadmin',
      impersonatorId: 'usr_root',
      targetId: 'arn:aws:iam::123456789012:role/x',
      details: { name: 'n 123456789012', secret: 's3cr3t', other: 1 },
    })
    const { data } = await http.request('a', '/audit?action=pipeline.delete')
    expect(data.events[0]).toMatchObject({ actorRole: null, impersonatorId: null, details: { name: 'n [REDACTED]' } })
    expect(JSON.stringify(data)).not.toMatch(/123456789012|s3cr3t/)
  })

  it('exports a bundle that both verifiers accept, and that a changed byte breaks', async () => {
    await store.system.write(async (tx) => {
      for (let index = 0; index < 1203; index++)
        await evidence(tx, runtime, ORG_B, 'org.update', { details: { name: `n${index}` } })
    })
    await sequencer.drain(20_000)
    const key = (await http.request(null, '/audit/key')).text
    const { text, headers } = await http.request('b', '/audit/export')
    expect(headers.get('content-disposition')).toContain('audit-log.jsonl')
    const lines = text.trimEnd().split('\n')
    const verdictOf = (all: readonly string[]) => {
      const verifier = new BundleVerifier(nodeCrypto, { keys: [parseVerifierKey(nodeCrypto, key.trim()) as never] })
      for (const line of all) verifier.pushLine(line)
      return verifier.finish()
    }
    expect(verdictOf(lines)).toMatchObject({ verdict: 'valid', coveredThrough: lines.length - 1 })
    expect(text).not.toContain('canary-a-')
    expect(verdictOf(lines.with(700, (lines[700] ?? '').replace('"org.update"', '"org.create"'))).verdict).toBe(
      'invalid',
    )
    expect(verdictOf(lines.slice(0, -1)).verdict).toBe('invalid')
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-export-'))
    try {
      writeFileSync(join(folder, 'log.jsonl'), text)
      writeFileSync(join(folder, 'key'), key)
      const said = execFileSync('python3', [PYTHON_VERIFIER, join(folder, 'log.jsonl'), '--key', join(folder, 'key')])
      expect(JSON.parse(said.toString())).toMatchObject({ verdict: 'valid' })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('erases a person, says who asked, and still exports a valid bundle', async () => {
    const before = (await http.request('root', '/audit?actorId=usr_ada&limit=1')).data.pagination.total
    const { status, data } = await http.post('root', '/audit/erase', {
      userId: 'usr_ada',
      reason: 'asked for by letter',
    })
    expect(status).toBe(200)
    expect(data.identities + data.pending).toBe(before)
    await sequencer.drain(10_000)
    const { text } = await http.request('b', '/audit/export')
    expect(text).not.toContain('ada@example.com')
    expect((await http.request('b', '/audit/verify')).data).toMatchObject({
      verdict: 'valid',
      erased: expect.any(Number),
    })
    expect((await http.request('b', '/audit/verify')).data.erased).toBeGreaterThan(1000)
    const said = await http.request('root', '/audit?action=audit.erase')
    expect(said.data.events[0]).toMatchObject({ targetId: 'usr_ada', details: { reason: 'asked for by letter' } })
    const again = await http.post('root', '/audit/erase', { userId: 'usr_ada', reason: 'asked for by letter' })
    expect(again.data.identities).toBe(0)
  })

  it('says so when somebody changed the database', async () => {
    await store.system.write((tx) =>
      tx.rows(sql`UPDATE audit_heads SET seq = seq + 1 WHERE chain = ${ORG_A} RETURNING 1`),
    )
    const { data } = await http.request('a', '/audit/verify')
    expect(data).toMatchObject({ ok: false, verdict: 'invalid', reason: 'truncated', brokenAt: null })
    await store.system.write((tx) =>
      tx.rows(sql`UPDATE audit_heads SET seq = seq - 1 WHERE chain = ${ORG_A} RETURNING 1`),
    )
    expect((await http.request('a', '/audit/verify')).data.verdict).toBe('valid')
  })
})
