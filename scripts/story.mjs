/** Runs pages of docs/guide as a reader would, and reports the result. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopAll } from './demo-server.mjs'
import { emptyDatabase } from './empty-database.mjs'
import { buildIfStale, installIfNeeded } from './workspace.mjs'

/**
 * Runs a story on SQLite, then on PostgreSQL. If no PostgreSQL answers, prints that and skips it.
 *
 * @param {string} title such as `sign-on story`
 * @param {(given: { folder: string, env: Record<string, string> }) => Promise<{ code: unknown, count: number, said:
 * string }>} run starts the server with `env` in the empty `folder`, and returns the result of `runPage`
 */
export async function tellOnEachDatabase(title, run) {
  await tell(`${title} on SQLite`, (folder) => run({ folder, env: {} }))
  const database = await emptyDatabase(title.replaceAll(/\W/g, '_'))
  if (typeof database === 'string') {
    console.log(`${title} on PostgreSQL: skipped, ${database}`)
    return
  }
  try {
    await tell(`${title} on PostgreSQL`, (folder) => run({ folder, env: { DATABASE_URL: database.url } }))
  } finally {
    await database.drop()
  }
}

/**
 * Runs a story once. Servers and fakes of `demo-server.mjs` are stopped at the end.
 *
 * @param {string} title
 * @param {(folder: string) => Promise<{ code: unknown, count: number, said: string }>} run as above
 */
export async function tell(title, run) {
  await installIfNeeded()
  await buildIfStale()
  const began = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-story-'))
  try {
    const { code, count, said } = await run(folder)
    process.stdout.write(said)
    assert.equal(code, 0, `a step of the ${title} did not do what the page says`)
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(`${title}: ${count} commands did what the page says, in ${seconds} s`)
  } finally {
    stopAll()
    rmSync(folder, { recursive: true, force: true })
  }
}
