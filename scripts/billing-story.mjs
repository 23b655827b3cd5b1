/**
 * `node scripts/billing-story.mjs`: runs docs/guide/billing-story.md as a reader would, with the card provider of this machine, on
 * SQLite and on PostgreSQL. Where no PostgreSQL answers it says so and leaves that out.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startDemo, statusOf, stopAll } from './demo-server.mjs'
import { runPage, shownSecrets } from './tour-steps.mjs'
import { buildIfStale, installIfNeeded, root } from './workspace.mjs'

const POSTGRES = process.env.PLUMBLINE_TEST_POSTGRES_URL ?? 'postgres://postgres:plumbline@127.0.0.1:5432/postgres'

await installIfNeeded()
await buildIfStale()

let fake
try {
  await story('SQLite', {})
  const database = await emptyDatabase()
  if (typeof database === 'string') console.log(`billing story on PostgreSQL: skipped, ${database}`)
  else {
    try {
      await story('PostgreSQL', { DATABASE_URL: database.url })
    } finally {
      await database.drop()
    }
  }
} finally {
  fake?.kill('SIGTERM')
  stopAll()
}

async function story(engine, env) {
  const began = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-billing-'))
  const [port, fakePort] = [await freePort(), await freePort()]
  const data = join(folder, 'data')
  const url = `http://127.0.0.1:${port}`
  try {
    const settings = await startFake(fakePort, `${url}/api/billing/card-provider/webhook`)
    const server = await startDemo({
      port,
      data,
      printed: /Demo-/,
      env: {
        ...settings,
        ...env,
        PUBLIC_URL: url,
        BILLING_BUNDLES_ENABLED: 'true',
        BILLING_LIFECYCLE_CHECK_INTERVAL_MS: '1000',
      },
    })
    const { token, password } = shownSecrets(server.printed())
    const { code, count, said } = await runPage('billing-story.md', {
      folder,
      env: {
        ...settings,
        ...env,
        TOKEN: token,
        PASSWORD: password,
        URL: url,
        DATA_DIR: data,
        FAKE: settings.CARD_PROVIDER_API_URL,
      },
    })
    process.stdout.write(said)
    assert.equal(code, 0, `a step of the billing story did not do what it says on ${engine}`)
    assert.match(server.printed(), /Subject: A payment for Team failed/, 'the e-mail about the payment')
    await server.stop()
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(`billing story on ${engine}: ${count} commands did what the page says, in ${seconds} s`)
  } finally {
    fake?.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The settings that it prints, once it answers. */
async function startFake(port, webhook) {
  const command = join(root, 'packages', 'cli', 'bin', 'plumbline.js')
  fake = spawn(process.execPath, [command, 'billing', 'fake', 'card', '--port', String(port), '--webhook', webhook], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  fake.stdout.on('data', (chunk) => {
    text += chunk
  })
  for (let tries = 0; (await statusOf(`http://127.0.0.1:${port}/_fake/state`)) !== 200; tries += 1) {
    assert.ok(tries < 300, 'the card provider does not answer')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** A database of its own; a text says why there is none. */
async function emptyDatabase() {
  // That of the server.
  const { Client } = createRequire(join(root, 'packages', 'server', 'package.json'))('pg')
  const admin = new Client({ connectionString: POSTGRES, connectionTimeoutMillis: 2000 })
  try {
    await admin.connect()
  } catch (error) {
    if (process.env.PLUMBLINE_REQUIRE_SERVICES === '1') throw error
    return `no PostgreSQL answers at ${new URL(POSTGRES).host}`
  }
  const name = `billing_story_${process.pid}`
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
