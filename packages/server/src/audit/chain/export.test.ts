/** Goal: an export shows an organization's administrators what `GET /audit` shows them, and verifies all the same. */
import { type AuditRecord, type BundleManifest, BundleVerifier, parseVerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../../test/support/audit/evidence.js'
import { admin, auditHttp } from '../../../test/support/audit/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { systemClock } from '../../runtime/clock.js'
import type { Sequencer } from '../../runtime/jobs/sequencer.js'
import { noMetrics } from '../../runtime/metrics/port.js'
import type { Store } from '../../runtime/store/db.js'
import { signChain } from '../checkpoint/sign.js'
import { auditSequencer } from './start-sequencer.js'

const eve = { id: 'usr_eve', email: 'eve@example.com', role: null as string | null, impersonatorId: null }

describe('an export', () => {
  let store: Store
  let sequencer: Sequencer
  let runtime: ReturnType<typeof runtimeOver>
  let http: ReturnType<typeof auditHttp>

  beforeAll(async () => {
    store = await sqliteStore()
    const onError = (error: unknown) => {
      throw error
    }
    sequencer = auditSequencer({ store, clock: systemClock, metrics: noMetrics, onError })
    runtime = runtimeOver(store, systemClock)
    http = auditHttp(runtime, {
      a: admin(ORG_A),
      root: admin(ORG_B, { isSuperAdmin: true, features: [], permissions: [] }),
    })
    await store.system.write(async (tx) => {
      const a = (targetId: string, more: object = {}) =>
        evidence(tx, runtime, ORG_A, 'org.update', { targetId, ...more })
      await a('by an administrator of its own')
      await a('by a member of its own', { actor: { ...eve, role: 'member' } })
      await a('by a system administrator', { actor: { ...eve, role: 'superadmin' } })
      await a('under another name', { actor: { ...eve, impersonatorId: 'usr_root' } })
      await a('from another organization', { orgId: ORG_B, affectedOrgId: ORG_A })
      await evidence(tx, runtime, null, 'org.update', { targetId: 'from none', affectedOrgId: ORG_A })
      await evidence(tx, runtime, ORG_B, 'org.update', { targetId: 'nothing to do with it' })
    })
    await sequencer.drain(10_000)
  })
  afterAll(async () => {
    await sequencer.stop()
    await store.close()
    expect(http.errors).toEqual([])
  })

  async function exported(token: string, query = '') {
    const { text, status } = await http.request(token, `/audit/export${query}`)
    expect(status).toBe(200)
    const [first = '', ...lines] = text.trimEnd().split('\n')
    const key = parseVerifierKey(nodeCrypto, (await http.request(null, '/audit/key')).text.trim())
    const verifier = new BundleVerifier(nodeCrypto, { keys: key === null ? [] : [key] })
    for (const line of [first, ...lines]) verifier.pushLine(line)
    return {
      text,
      manifest: JSON.parse(first) as BundleManifest,
      rows: lines.map((line) => JSON.parse(line) as AuditRecord),
      report: verifier.finish(),
    }
  }

  it('withholds from administrators exactly where the list hides, with everything that it could be guessed from', async () => {
    const { data } = await http.request('a', '/audit?limit=100')
    const hidden = data.events
      .filter(({ ip }: { ip: string | null }) => ip === null)
      .map(({ targetId }: { targetId: string }) => targetId)
    expect(hidden.sort()).toEqual([
      'by a system administrator',
      'from another organization',
      'from none',
      'under another name',
    ])
    const { rows, report, manifest } = await exported('a')
    const withheld = rows.filter(({ ip }) => ip === null)
    expect(withheld.map(({ targetId }) => targetId).sort()).toEqual(hidden)
    for (const row of withheld) {
      expect(row).toMatchObject({ userAgent: null, actorEmail: null, identitySalt: null })
    }
    const shown = rows.filter(({ ip }) => ip !== null)
    expect(shown.map(({ userAgent }) => userAgent)).toEqual(['test/1', 'test/1'])
    expect(manifest.withheld).toBe('foreign-identities')
    expect(report).toMatchObject({ verdict: 'valid', withheld: 4, erased: 0, count: 6 })
  })

  it('withholds nothing from system administrators', async () => {
    const { rows, report, manifest } = await exported('root', `?orgId=${ORG_A}`)
    expect(rows.every(({ ip }) => ip === '192.0.2.7')).toBe(true)
    expect(manifest).not.toHaveProperty('withheld')
    expect(report).toMatchObject({ verdict: 'valid', withheld: 0 })
  })

  it('has the organization’s own export hide the same', async () => {
    const { auditRegistration } = await import('../registration.js')
    const registration = auditRegistration
    const found: unknown[] = []
    const read = store.system.read as Parameters<typeof registration.exportRows>[0]
    for await (const { row } of registration.exportRows(read, ORG_A, new Set(['audit']))) found.push(row)
    const hidden = (found as { ip: string | null; userAgent: string | null }[]).filter(({ ip }) => ip === null)
    expect([found.length, hidden.length, hidden.filter(({ userAgent }) => userAgent !== null).length]).toEqual([
      6, 4, 0,
    ])
  })

  it('holds one checkpoint where the stored one covers the head, and a second one where events came after it', async () => {
    const before = await exported('a')
    expect(before.manifest.checkpoints).toHaveLength(1)
    await store.system.write((tx) => signChain(tx, runtime, ORG_A))
    const signed = await exported('a')
    expect(signed.manifest.checkpoints).toHaveLength(1)
    expect(signed.report).toMatchObject({ verdict: 'valid', coveredThrough: signed.manifest.to })
    await store.system.write((tx) => evidence(tx, runtime, ORG_A, 'org.update', { targetId: 'later' }))
    await sequencer.drain(10_000)
    const later = await exported('a')
    expect(later.manifest.checkpoints).toHaveLength(2)
    expect(later.report).toMatchObject({ verdict: 'valid', coveredThrough: later.manifest.to })
  })
})
