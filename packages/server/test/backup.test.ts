/** Backup and restore: what comes back is what was committed, under load; a damaged file and an occupied place are refused. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createBackup } from '../src/backup/backup.js'
import { restoreBackup, verifyBackup } from '../src/backup/restore.js'
import { openBlobs } from '../src/runtime/blobs/open.js'
import { heldClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import { enqueue } from '../src/runtime/jobs/enqueue.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { makeRole } from '../src/runtime/store/role-statements.js'
import { openStore } from '../src/store.js'
import { TEST_ENVIRONMENT, testSettings } from './settings.js'
import { POSTGRES_URL, postgresMissing, postgresStore } from './stores.js'

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
const restore = (settings: Place, file: string, passphrase: string | null = PASSPHRASE) =>
  restoreBackup({ settings, file, passphrase, user: 'ops', outsideSize: 7, clock })

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
    expect(await verifyBackup(file)).toEqual({ manifest, problems: [] })
    const to = place()
    await restore(to, file)
    const { jobs, outbox } = await contents(to)
    expect(jobs.map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4].map((n) => ({ n })))
    expect(outbox).toMatchObject([{ event: { action: 'admin.restore', actorId: 'host:ops' } }])
    expect(outbox[0]?.details).toContain('"outsideSize":7')
    expect(readFileSync(join(to.DATA_DIR, 'blobs', 'a', 'b'), 'utf8')).toBe('blob')
    expect(JSON.parse(readFileSync(join(to.DATA_DIR, 'keys.json'), 'utf8'))).toEqual({
      JWT_KEYS: TEST_ENVIRONMENT['JWT_KEYS'],
      SECRET_ENCRYPTION_KEYS: TEST_ENVIRONMENT['SECRET_ENCRYPTION_KEYS'],
      AUDIT_CHECKPOINT_KEY: TEST_ENVIRONMENT['AUDIT_CHECKPOINT_KEY'],
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
    expect(await verifyBackup(file)).toEqual({ manifest, problems: [] })
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
    expect(readFileSync(file).toString('latin1')).not.toContain(TEST_ENVIRONMENT['JWT_KEYS']?.slice(3))
    const to = place()
    await expect(restore(to, file, 'another passphrase')).rejects.toThrow(/do not open/)
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
    await expect(restore(place(), file)).rejects.toThrow(/damaged/)
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

  it('overwrites nothing: neither a file, nor a place that is in use', async () => {
    const from = place()
    await (await withJobs(from, 1)).store.close()
    const file = join(from.DATA_DIR, 'backup.tar')
    await backUp(from, file)
    await expect(backUp(from, file)).rejects.toThrow(/exists/)
    await expect(restore(from, file)).rejects.toThrow(/empty place/)
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
    } finally {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
      await origin.close()
    }
  })

  it.skipIf(missing !== null)('is made and restored by an owner who is no superuser', async () => {
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
