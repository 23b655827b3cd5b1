/**
 * Backup and restore: what comes back is what was committed, under load; a damaged file, one that somebody changed, and an
 * occupied place are refused.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AUDIT_KEY_NAME, createSigningKey, type VerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createBackup } from '../src/backup/backup.js'
import { sealManifest } from '../src/backup/manifest-seal.js'
import { dumpPostgres } from '../src/backup/postgres.js'
import { restoreBackup, verifyBackup } from '../src/backup/restore.js'
import { openBlobs } from '../src/runtime/blobs/open.js'
import { heldClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import { enqueue } from '../src/runtime/jobs/enqueue.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { makeRole } from '../src/runtime/store/role-statements.js'
import { sqliteDriver } from '../src/runtime/store/sqlite-driver.js'
import { openStore } from '../src/store.js'
import { TEST_ENVIRONMENT, testSettings } from './support/settings.js'
import { POSTGRES_URL, postgresMissing, postgresStore } from './support/stores.js'
import { SUPER_ADMIN, tamper } from './support/tampered-backup.js'

const PASSPHRASE = 'correct horse battery'
const clock = heldClock(Date.UTC(2026, 10, 21))
const sources = [{ origin: 'environment', values: TEST_ENVIRONMENT }]
const missing = await postgresMissing()

const place = (DATABASE_URL?: string) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'plumbline-backup-'))
  return testSettings(DATABASE_URL === undefined ? { DATA_DIR } : { DATA_DIR, DATABASE_URL })
}
type Place = ReturnType<typeof place>
const backUp = (settings: Place, file: string, passphrase: string | null = PASSPHRASE) =>
  createBackup({ settings, sources, file, passphrase, nowMs: clock.now() })
const proofs = (passphrase: string | null = PASSPHRASE, keys: readonly VerifierKey[] = []) => ({
  passphrase: () => Promise.resolve(passphrase),
  keys,
})
const restore = (settings: Place, file: string, passphrase: string | null = PASSPHRASE, allowsUnproven = false) =>
  restoreBackup({
    settings,
    file,
    proofs: proofs(passphrase),
    takesKeys: passphrase !== null,
    allowsUnproven,
    user: 'ops',
    outsideSize: 7,
    clock,
  })
const ownKey = createSigningKey(nodeCrypto, AUDIT_KEY_NAME, testSettings().AUDIT_CHECKPOINT_KEY ?? new Uint8Array(32))

async function withJobs(settings: Place, count: number) {
  const store = await openStore(settings)
  const runtime: Runtime = { clock, ids: createIds(clock), store, settings, domains: [] }
  const add = (n: number) => store.system.write((tx) => enqueue(tx, runtime, { kind: 'k', payload: { n } }))
  for (let n = 0; n < count; n++) await add(n)
  return { store, add }
}

async function contents(settings: Place) {
  const store = await openStore(settings)
  const found = await store.system.read(async (db) => {
    const { jobs, auditOutbox } = jobTables(db)
    return { jobs: await db.select().from(jobs).orderBy(jobs.id), outbox: await db.select().from(auditOutbox) }
  })
  await store.close()
  return found
}

const strangersKey = createSigningKey(nodeCrypto, AUDIT_KEY_NAME, new Uint8Array(32).fill(66))
const ofStranger = (_old: string, manifest: string) => sealManifest(manifest, 'the passphrase is wrong', strangersKey)
const without = (part: 'passphrase' | 'signature') => (old: string) =>
  JSON.stringify({ ...(JSON.parse(old) as object), [part]: null })

/** Each way to deal with the seal, and what is found with the passphrase and with the key of the server. */
const FORGERIES = [
  { what: 'the old seal', seal: (old: string) => old, found: /passphrase does not match|differs from the signed one/ },
  { what: 'the old seal, without the signature', seal: without('signature'), found: /passphrase does not match/ },
  { what: 'the old seal, without the passphrase', seal: without('passphrase'), found: /differs from the signed one/ },
  { what: 'the seal of a stranger', seal: ofStranger, found: /passphrase does not match/ },
  {
    what: 'the seal of a stranger, without a passphrase',
    seal: (_old: string, manifest: string) => sealManifest(manifest, null, strangersKey),
    found: /nothing proves/,
  },
  { what: 'no seal', seal: () => null, found: /nothing proves/ },
  { what: 'a seal that is none', seal: () => '{"passphrase":1}', found: /seal.json was changed/ },
]

async function refusesForgeries(file: string, change: (database: string) => void | Promise<void>, to: () => Place) {
  for (const { what, seal, found } of FORGERIES) {
    const tampered = await tamper(file, change, seal)
    const { problems, provenBy } = await verifyBackup(tampered, proofs(PASSPHRASE, [ownKey]))
    expect([what, provenBy]).toEqual([what, []])
    if (!found.test('nothing proves')) expect(problems.join('; ')).toMatch(found)
    await expect(restore(to(), tampered), what).rejects.toThrow(found)
    await expect(restore(to(), tampered, null), what).rejects.toThrow(
      /nothing proves|differs from the signed one|changed/,
    )
  }
}

describe('a backup of SQLite', () => {
  it('brings back database, blobs and keys, and leaves evidence of the restore', async () => {
    const from = place()
    const { store } = await withJobs(from, 5)
    mkdirSync(join(from.DATA_DIR, 'blobs', 'a'), { recursive: true })
    writeFileSync(join(from.DATA_DIR, 'blobs', 'a', 'b'), 'blob')
    writeFileSync(join(from.DATA_DIR, 'blobs', 'empty'), '')
    const file = join(from.DATA_DIR, 'backup.tar')
    const manifest = await backUp(from, file)
    await store.close()
    expect(manifest).toMatchObject({ database: 'sqlite', hasKeys: true, schemaVersion: 1 })
    expect(await verifyBackup(file)).toEqual({
      manifest,
      problems: [],
      provenBy: [],
      seals: { passphrase: true, signature: true },
    })
    const to = place()
    await restore(to, file)
    const { jobs, outbox } = await contents(to)
    expect(jobs.map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })))
    expect(outbox).toMatchObject([{ event: { action: 'admin.restore', actorId: 'host:ops' } }])
    expect(outbox[0]?.details).toContain('"outsideSize":7')
    expect(readFileSync(join(to.DATA_DIR, 'blobs', 'a', 'b'), 'utf8')).toBe('blob')
    expect(JSON.parse(readFileSync(join(to.DATA_DIR, 'keys.json'), 'utf8'))).toEqual({
      JWT_KEYS: TEST_ENVIRONMENT.JWT_KEYS,
      SECRET_ENCRYPTION_KEYS: TEST_ENVIRONMENT.SECRET_ENCRYPTION_KEYS,
      AUDIT_CHECKPOINT_KEY: TEST_ENVIRONMENT.AUDIT_CHECKPOINT_KEY,
    })
  })

  it('carries the blobs of the blob store: long names too, none that is half written, none that goes meanwhile', async () => {
    const from = place()
    const { store } = await withJobs(from, 1)
    const blobs = openBlobs(from)
    const key = `${randomUUID()}/a-long-kind-of-blob/${randomUUID()}-thumbnail-of-an-attachment`
    for (const each of [key, 'o/k/goes']) await blobs.put(each, Readable.from([Buffer.from(each)]), each.length)
    writeFileSync(join(from.DATA_DIR, 'blobs', '.incoming', 'half'), 'half')
    const file = join(from.DATA_DIR, 'backup.tar')
    const [manifest] = await Promise.all([backUp(from, file), blobs.delete('o/k/goes')])
    await store.close()
    expect(manifest.blobStore).toBe('fs')
    expect(await verifyBackup(file)).toMatchObject({ manifest, problems: [] })
    expect(manifest.entries.some(({ name }) => name.includes('incoming'))).toBe(false)
    const to = place()
    await restore(to, file)
    const restored = await openBlobs(to).open(key)
    expect(restored && (await text(restored))).toBe(key)
    expect(readdirSync(from.DATA_DIR).filter((name) => name.startsWith('.plumbline'))).toEqual([])
  })

  it('leaves a bucket alone and says so', async () => {
    const bucket = {
      BLOB_STORE: 's3',
      BLOB_S3_BUCKET: 'files',
      BLOB_S3_ACCESS_KEY_ID: 'k',
      BLOB_S3_SECRET_ACCESS_KEY: 's',
    }
    const { DATA_DIR } = place()
    const from = testSettings({ DATA_DIR, ...bucket })
    await (await withJobs(from, 1)).store.close()
    mkdirSync(join(DATA_DIR, 'blobs'))
    writeFileSync(join(DATA_DIR, 'blobs', 'of-former-days'), 'x')
    const manifest = await backUp(from, join(DATA_DIR, 'backup.tar'))
    expect(manifest.blobStore).toBe('s3')
    expect(manifest.entries.map(({ name }) => name)).toEqual(['database.sqlite', 'keys.sealed.json'])
  })

  it('is consistent while the server writes: a prefix of what was acknowledged, nothing torn', async () => {
    const from = place()
    const { store, add } = await withJobs(from, 50)
    const file = join(from.DATA_DIR, 'backup.tar')
    let isWriting = true
    let n = 50
    const writer = (async () => {
      while (isWriting) await add(n++)
    })()
    await backUp(from, file)
    isWriting = false
    await writer
    await store.close()
    const to = place()
    await restore(to, file)
    const { jobs } = await contents(to)
    expect(jobs.length).toBeGreaterThanOrEqual(50)
    expect(jobs.map(({ payload }) => payload)).toEqual(jobs.map((_, index) => ({ n: index })))
  })

  it('holds no key in the clear, opens with its passphrase only, and has none with none', async () => {
    const from = place()
    await (await withJobs(from, 1)).store.close()
    const file = join(from.DATA_DIR, 'backup.tar')
    await backUp(from, file)
    expect(readFileSync(file).toString('latin1')).not.toContain(TEST_ENVIRONMENT.JWT_KEYS?.slice(3))
    const to = place()
    await expect(restore(to, file, 'the passphrase is wrong')).rejects.toThrow(/passphrase does not match/)
    await expect(backUp(from, join(from.DATA_DIR, 'short.tar'), 'short')).rejects.toThrow(/12 characters/)
    const bare = join(from.DATA_DIR, 'bare.tar')
    expect(await backUp(from, bare, null)).toMatchObject({ hasKeys: false })
    await restore(to, bare, null)
    expect((await contents(to)).jobs).toHaveLength(1)
  })

  it('is refused when a byte was changed, when it ends early, and when it is something else', async () => {
    const from = place()
    await (await withJobs(from, 1)).store.close()
    const file = join(from.DATA_DIR, 'backup.tar')
    await backUp(from, file)
    const whole = readFileSync(file)
    const changed = Buffer.from(whole)
    const at = whole.length - 4096
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(file, changed)
    expect((await verifyBackup(file)).problems).toEqual(['database.sqlite was changed'])
    await expect(restore(place(), file)).rejects.toThrow(/refused: database.sqlite was changed/)
    // Nobody gives the passphrase to find out; without the keys the rest could not be read.
    const keys = Buffer.from(whole)
    const inKeys = keys.indexOf('keys.sealed.json\0') + 512 + 100
    keys[inKeys] = (keys[inKeys] ?? 0) ^ 1
    writeFileSync(file, keys)
    expect((await verifyBackup(file)).problems).toEqual(['keys.sealed.json was changed'])
    await expect(verifyBackup(join(from.DATA_DIR, 'nowhere.tar'))).rejects.toThrow(/there is no file/)
    await expect(backUp(from, join(from.DATA_DIR, 'nowhere', 'backup.tar'))).rejects.toThrow(/there is no folder/)
    writeFileSync(file, whole.subarray(0, whole.length / 2))
    await expect(verifyBackup(file)).rejects.toThrow(/ends too early/)
    writeFileSync(file, Buffer.alloc(2048, 7))
    await expect(verifyBackup(file)).rejects.toThrow(/not a backup/)
  })

  it('is refused when somebody changed the database and wrote the digests again', async () => {
    const from = place()
    await (await withJobs(from, 1)).store.close()
    const file = join(from.DATA_DIR, 'backup.tar')
    await backUp(from, file)
    const change = (path: string) => {
      const database = new (sqliteDriver().Database)(path)
      database.exec(SUPER_ADMIN)
      database.close()
    }
    await refusesForgeries(file, change, place)
    // The change itself is a good database: without the seal it would be restored.
    const to = place()
    await restore(to, await tamper(file, change, () => null), null, true)
    const database = new (sqliteDriver().Database)(join(to.DATA_DIR, 'plumbline.db'), { readonly: true })
    expect(database.prepare('SELECT user_id FROM role_assignments').all()).toEqual([{ user_id: 'mallory' }])
    database.close()
  })

  it('is proven by the passphrase, by the key that signed it, or not at all', async () => {
    const from = place()
    await (await withJobs(from, 1)).store.close()
    const file = join(from.DATA_DIR, 'backup.tar')
    await backUp(from, file)
    const byKey = `key ${ownKey.name}+${ownKey.id}`
    expect((await verifyBackup(file, proofs(PASSPHRASE, [ownKey]))).provenBy).toEqual(['passphrase', byKey])
    expect((await verifyBackup(file, proofs(null, [ownKey]))).provenBy).toEqual([byKey])
    expect(await verifyBackup(file, proofs(null, [strangersKey]))).toMatchObject({ problems: [], provenBy: [] })
    expect(await verifyBackup(file, proofs('the passphrase is wrong', [ownKey]))).toMatchObject({
      problems: ['the passphrase does not match the seal: it is wrong, or the backup was changed'],
      provenBy: [],
    })
    // Without a passphrase the signature is what there is; it never asks for one.
    const bare = join(from.DATA_DIR, 'bare.tar')
    await backUp(from, bare, null)
    const unasked = { passphrase: () => Promise.reject(new Error('asked')), keys: [ownKey] }
    expect(await verifyBackup(bare, unasked)).toMatchObject({
      problems: [],
      provenBy: [byKey],
      seals: { passphrase: false, signature: true },
    })
    // A server that has neither is restored only by who accepts it.
    const unsigned = join(from.DATA_DIR, 'unsigned.tar')
    const keyless = { ...from, AUDIT_CHECKPOINT_KEY: null }
    await backUp(keyless, unsigned, null)
    expect((await verifyBackup(unsigned, proofs(PASSPHRASE, [ownKey]))).seals).toEqual({
      passphrase: false,
      signature: false,
    })
    const to = place()
    await expect(restore(to, unsigned, null)).rejects.toThrow(/nothing proves.*: accept that with `--unverified`$/)
    await restore(to, unsigned, null, true)
    // The passphrase is asked for once, and needed for the keys.
    await expect(
      restoreBackup({
        settings: place(),
        file,
        proofs: proofs(null, [ownKey]),
        takesKeys: true,
        allowsUnproven: false,
        user: 'ops',
        outsideSize: null,
        clock,
      }),
    ).rejects.toThrow(/need its passphrase/)
  })

  it('overwrites nothing: neither a file, nor a place that is in use', async () => {
    const from = place()
    await (await withJobs(from, 1)).store.close()
    const file = join(from.DATA_DIR, 'backup.tar')
    await backUp(from, file)
    await expect(backUp(from, file)).rejects.toThrow(/exists/)
    await expect(restore(from, file)).rejects.toThrow(/empty data directory/)
    const keyed = place()
    writeFileSync(join(keyed.DATA_DIR, 'keys.json'), '{}')
    await expect(restore(keyed, file)).rejects.toThrow(/keys.json/)
  })
})

describe(`a backup of PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  it.skipIf(missing !== null)('comes back in another, empty database', async () => {
    const origin = await postgresStore()
    const from = place(origin.url)
    const { store } = await withJobs(from, 3)
    const file = join(from.DATA_DIR, 'backup.tar')
    expect(await backUp(from, file)).toMatchObject({ database: 'pg' })
    await store.close()
    await expect(restore(place(), file)).rejects.toThrow(/of PostgreSQL/)
    const name = `plumbline_restore_${randomUUID().replaceAll('-', '')}`
    const url = new URL(origin.url)
    const admin = new pg.Client({ connectionString: origin.url })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    try {
      url.pathname = `/${name}`
      const to = place(url.href)
      await restore(to, file)
      expect((await contents(to)).jobs.map(({ payload }) => payload)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
      await expect(restore(place(url.href), file)).rejects.toThrow(/pg_restore failed/)
      // The dump is executed as the owner of the tables, so one that somebody made is never run.
      const owner = new pg.Client({ connectionString: url.href })
      await owner.connect()
      await owner.query(SUPER_ADMIN)
      await owner.query('DELETE FROM jobs')
      await owner.end()
      const empty = new URL(url.href)
      empty.pathname = `/${name}_2`
      await admin.query(`CREATE DATABASE ${name}_2`)
      await refusesForgeries(
        file,
        (path) => dumpPostgres(url.href, path),
        () => place(empty.href),
      )
      const untouched = new pg.Client({ connectionString: empty.href })
      await untouched.connect()
      expect((await untouched.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).rows).toEqual([])
      await untouched.end()
    } finally {
      for (const each of [name, `${name}_2`]) await admin.query(`DROP DATABASE IF EXISTS ${each} WITH (FORCE)`)
      await admin.end()
      await origin.close()
    }
  })

  it.skipIf(missing !== null)('is made and restored by an owner who is not a superuser', async () => {
    const id = randomUUID().slice(0, 8)
    const [owner, first, second] = [`plumb_backup_${id}`, `plumbline_b1_${id}`, `plumbline_b2_${id}`]
    const roles = ['plumbline_tenant', 'plumbline_system', 'plumbline_maintenance']
    const admin = new pg.Client({ connectionString: POSTGRES_URL })
    await admin.connect()
    for (const role of roles) await admin.query(makeRole(role))
    await admin.query(`CREATE ROLE ${owner} LOGIN; GRANT ${roles.join(', ')} TO ${owner}`)
    for (const name of [first, second]) await admin.query(`CREATE DATABASE ${name} OWNER ${owner}`)
    const placeOf = (name: string) => {
      const url = new URL(POSTGRES_URL)
      url.username = owner
      url.pathname = `/${name}`
      return place(url.href)
    }
    try {
      const [from, to] = [placeOf(first), placeOf(second)]
      await (await withJobs(from, 3)).store.close()
      const file = join(from.DATA_DIR, 'backup.tar')
      await backUp(from, file)
      await restore(to, file)
      expect((await contents(to)).jobs.map(({ payload }) => payload)).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
      const copy = new pg.Client({ connectionString: to.DATABASE_URL ?? '' })
      await copy.connect()
      const owners = await copy.query(
        "SELECT DISTINCT pg_get_userbyid(proowner) AS owner FROM pg_proc WHERE proname IN ('plumbline_audit_prune', 'plumbline_audit_erase')",
      )
      await copy.end()
      expect(owners.rows).toEqual([{ owner: 'plumbline_maintenance' }])
      // A role that has to be taken on sees nothing by itself: half a backup is refused.
      await admin.query(`ALTER ROLE ${owner} NOINHERIT`)
      await expect(backUp(from, `${file}2`)).rejects.toThrow(/does not inherit plumbline_system/)
    } finally {
      for (const name of [first, second]) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.query(`DROP ROLE ${owner}`)
      await admin.end()
    }
  })
})
