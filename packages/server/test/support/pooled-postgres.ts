/**
 * The store on a database of the PostgreSQL server. A closed database is emptied and reused by the next suite of the
 * process. Copying the template takes the server a second of processor time, because it has some two thousand files;
 * emptying a database takes a twentieth of that.
 *
 * Databases that remain when a process ends are dropped by the next process that starts here.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Store } from '../../src/runtime/store/db.js'
import { openPostgresStore } from '../../src/runtime/store/open-store.js'
import { type Beginning, beginningOf, emptied, type Session } from './emptied-database.js'
import { copyTemplate, POSTGRES_URL, urlOfDatabase } from './stores.js'

interface Pooled {
  readonly name: string
  readonly beginning: Beginning
}

const NAME = /^plumbline_pool_(\d+)_/
/** Suites of a process run one after another, and a few use two databases. */
const IDLE_MAX = 2

const idle: Pooled[] = []
let leftBehind: Promise<void> | null = null

export async function pooledPostgresStore(): Promise<Store & { readonly url: string }> {
  leftBehind ??= withClient(POSTGRES_URL, dropLeftBehind)
  await leftBehind
  const ready = idle.pop()
  if (ready !== undefined) {
    const opened = await open(ready).catch(() => null)
    if (opened !== null) return opened
  }
  return open(await make())
}

async function open(pooled: Pooled): Promise<Store & { readonly url: string }> {
  const url = urlOfDatabase(pooled.name)
  const store = await openPostgresStore({ url, connectionsMax: 8 })
  const { close } = store
  let closed: Promise<void> | null = null
  const closeOnce = async () => {
    await close()
    await giveBack(pooled)
  }
  return Object.assign(store, {
    url,
    close: () => {
      closed ??= closeOnce()
      return closed
    },
  })
}

async function make(): Promise<Pooled> {
  const name = `plumbline_pool_${process.pid}_${randomUUID().replaceAll('-', '')}`
  await withClient(POSTGRES_URL, async (admin) => {
    await copyTemplate(admin, name)
    // Tests do not simulate a power failure, so durable commits are not needed.
    await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  })
  const beginning = await withClient(urlOfDatabase(name), (client) => beginningOf(sessionOf(client), 'shared'))
  return { name, beginning }
}

async function giveBack(pooled: Pooled): Promise<void> {
  const { name, beginning } = pooled
  if (idle.length < IDLE_MAX && (await isEmptied(name, beginning))) idle.push(pooled)
  else await withClient(POSTGRES_URL, (admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
}

async function isEmptied(name: string, beginning: Beginning): Promise<boolean> {
  try {
    return await withClient(urlOfDatabase(name), (client) => emptied(sessionOf(client), beginning))
  } catch (error) {
    // The database does not exist any more, or another connection holds a lock in it.
    if (error instanceof pg.DatabaseError) return false
    throw error
  }
}

/** Drops databases of processes on this machine that have ended. */
async function dropLeftBehind(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    "SELECT datname AS name FROM pg_database WHERE datname LIKE 'plumbline\\_pool\\_%'",
  )
  for (const { name } of rows) {
    if (isAlive(Number(NAME.exec(name)?.[1]))) continue
    // Another process may be dropping it, or a process on another machine may be using it.
    await admin.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

const sessionOf = (client: pg.Client): Session => ({
  exec: async (statements) => void (await client.query(statements)),
  rows: async (query) => (await client.query<Record<string, unknown>>(query)).rows,
})
