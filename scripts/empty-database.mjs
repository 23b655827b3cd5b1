/** Creates an empty PostgreSQL database for a run that starts whole servers. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const POSTGRES = process.env.PLUMBLINE_TEST_POSTGRES_URL ?? 'postgres://postgres:plumbline@127.0.0.1:5432/postgres'

/**
 * Creates a database for one run.
 *
 * @param {string} beginning first part of its name, as an identifier
 * @returns {Promise<string | { url: string, drop: () => Promise<void> }>} a string if it could not be created: the
 * reason.
 */
export async function emptyDatabase(beginning) {
  // The driver of the server.
  const { Client } = createRequire(join(root, 'packages', 'server', 'package.json'))('pg')
  const admin = new Client({ connectionString: POSTGRES, connectionTimeoutMillis: 2000 })
  try {
    await admin.connect()
  } catch (error) {
    if (process.env.PLUMBLINE_REQUIRE_SERVICES === '1') throw error
    return `no PostgreSQL answers at ${new URL(POSTGRES).host}`
  }
  const name = `${beginning}_${process.pid}`
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(POSTGRES)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    },
  }
}
