/** What somebody tries who holds a backup, or may write the database, and has neither the passphrase nor the signing key. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createBackup } from '../../src/backup/backup.js'
import { dumpPostgres } from '../../src/backup/postgres.js'
import { restoreBackup, verifyBackup } from '../../src/backup/restore.js'
import { heldClock } from '../../src/runtime/clock.js'
import { sqliteDriver } from '../../src/runtime/store/sqlite-driver.js'
import { TEST_ENVIRONMENT, testSettings } from '../../test/support/settings.js'
import { SUPER_ADMIN, tamper } from '../../test/support/tampered-backup.js'
import type { Attack } from './attacks.js'
import { type Place, startTarget, type Target } from './target.js'

const PASSPHRASE = 'correct horse battery'
const WAIT_MS_MAX = 60_000

type Row = Readonly<Record<string, unknown>>

/** Runs statements past the server, as the owner of the database. @returns the rows of the last one. */
export async function behindItsBack({ folder, databaseUrl }: Place, ...statements: readonly string[]): Promise<Row[]> {
  if (databaseUrl === null) {
    const database = new (sqliteDriver().Database)(join(folder, 'plumbline.db'), { timeout: 10_000 })
    try {
      let rows: Row[] = []
      for (const text of statements) {
        const statement = database.prepare<unknown[], Row>(text)
        if (statement.reader) rows = statement.all()
        else statement.run()
      }
      return rows
    } finally {
      database.close()
    }
  }
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    let rows: Row[] = []
    for (const text of statements) ({ rows } = await owner.query<Row>(text))
    return rows
  } finally {
    await owner.end()
  }
}

/** What keeps the rows of the log as they are goes first. */
async function unguard(place: Place): Promise<void> {
  if (place.databaseUrl !== null) {
    await behindItsBack(place, 'ALTER TABLE audit_events DISABLE TRIGGER ALL')
    return
  }
  const triggers = await behindItsBack(
    place,
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'audit_%'",
  )
  await behindItsBack(place, ...triggers.map(({ name }) => `DROP TRIGGER ${name}`))
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const endMs = Date.now() + WAIT_MS_MAX; Date.now() < endMs; ) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(200)
  }
  throw new Error(`${what} did not come in ${WAIT_MS_MAX / 1000} s`)
}

/** The head of a chain once a signed directory names it at this size or a greater one. */
const signedHead = ({ place }: Target, chain: string, size: number): Promise<Row> =>
  until('a signed directory', async () => {
    const [head] = await behindItsBack(
      place,
      `SELECT seq, hash, created_at, frontier FROM audit_heads WHERE chain = '${chain}' AND seq >= ${size} AND checkpoint_size = seq`,
    )
    const directories = await behindItsBack(place, 'SELECT heads FROM audit_directories')
    const named = directories.some(({ heads }) =>
      (JSON.parse(String(heads)) as { chain: string; seq: number }[]).some(
        (each) => each.chain === chain && each.seq === Number(head?.seq),
      ),
    )
    return head !== undefined && named ? head : undefined
  })

async function rename(target: Target, orgId: string, as: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const body = { description: `change ${Math.random()}` }
    await target.call('PATCH', `/organization/${orgId}/identity`, { as, body })
  }
}

async function rollBack(target: Target): Promise<string> {
  const { orgId, token } = await target.signUp('keeper')
  const old = await signedHead(target, orgId, 1)
  const size = Number(old.seq)
  await rename(target, orgId, token, 6)
  await signedHead(target, orgId, size + 6)
  await unguard(target.place)
  const frontier = typeof old.frontier === 'string' ? old.frontier : JSON.stringify(old.frontier)
  await behindItsBack(
    target.place,
    `DELETE FROM audit_events WHERE chain = '${orgId}' AND seq > ${size}`,
    `DELETE FROM audit_checkpoints WHERE chain = '${orgId}' AND size > ${size}`,
    `UPDATE audit_heads SET seq = ${size}, hash = '${old.hash}', created_at = '${old.created_at}', frontier = '${frontier}', checkpoint_size = ${size} WHERE chain = '${orgId}'`,
  )
  const { data } = await target.call('GET', '/audit/verify', { as: token })
  await target.kill()
  const printed = await target.startAgain()
  const refusal = printed === null ? 'started' : /signed directory names/.test(printed) ? 'refuses to start' : printed
  return `${data.verdict}, ${refusal}`
}

export const STORED_ATTACKS: readonly Attack[] = [
  {
    name: 'a backup with another administrator, its digests written again',
    expects: 'refused by the passphrase, not restored',
    async run({ place }) {
      const given = place.databaseUrl === null ? {} : { DATABASE_URL: place.databaseUrl }
      const settings = testSettings({ DATA_DIR: place.folder, ...given })
      const file = join(place.folder, 'attacked.tar')
      const nowMs = Date.now()
      const sources = [{ origin: 'environment', values: TEST_ENVIRONMENT }]
      await createBackup({ settings, sources, file, passphrase: PASSPHRASE, nowMs })
      const change = async (path: string) => {
        if (place.databaseUrl === null) {
          const database = new (sqliteDriver().Database)(path)
          database.exec(SUPER_ADMIN)
          database.close()
          return
        }
        await behindItsBack(place, SUPER_ADMIN)
        await dumpPostgres(place.databaseUrl, path)
        await behindItsBack(place, "DELETE FROM role_assignments WHERE user_id = 'mallory'")
      }
      const tampered = await tamper(file, change, (seal) => seal)
      const proofs = { passphrase: async () => PASSPHRASE, keys: [] }
      const { problems } = await verifyBackup(tampered, proofs)
      const restored = await restoreBackup({
        settings: testSettings({ ...given, DATA_DIR: join(place.folder, 'restored') }),
        file: tampered,
        proofs,
        takesKeys: true,
        allowsUnproven: false,
        user: 'mallory',
        outsideSize: 0,
        clock: heldClock(nowMs),
      }).then(
        () => 'restored',
        (error: unknown) => (/passphrase does not match/.test(String(error)) ? 'not restored' : String(error)),
      )
      return `${problems.some((each) => /passphrase does not match/.test(each)) ? 'refused by the passphrase' : problems.join('; ') || 'sound'}, ${restored}`
    },
  },
  {
    name: 'an audit log that is put back to an older signed checkpoint',
    expects: 'invalid, refuses to start',
    async run({ place }) {
      // A server of its own: it does not start again.
      const engine = place.databaseUrl === null ? 'sqlite' : 'postgres'
      const target = await startTarget(engine, { AUDIT_CHECKPOINT_INTERVAL_MS: '1000' })
      try {
        return await rollBack(target)
      } finally {
        await target.stop()
      }
    },
  },
]
