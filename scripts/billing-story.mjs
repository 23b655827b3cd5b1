/**
 * `node scripts/billing-story.mjs [guides|operators|story|marketplace]`: runs the billing pages for customers and
 * auditors on one server, the page for operators, docs/guide/billing-story.md on each database, and
 * marketplace-story.md. Payments use the fake card provider, purchases the fake marketplace.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { freePort, startDemo, startFake } from './demo-server.mjs'
import { tell, tellOnEachDatabase } from './story.mjs'
import { runPage, shownSecrets } from './tour-steps.mjs'

const PARTS = {
  guides: () => tell('billing for customers and auditors', guides),
  operators: () => tell('billing for operators', operators),
  story: () => tellOnEachDatabase('billing story', story),
  marketplace: () => tell('marketplace story', (folder) => marketplace({ folder, env: {} })),
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((part) => !(part in PARTS))
if (unknown.length > 0) {
  console.error(`unknown part \`${unknown.join(' ')}\`: choose among ${Object.keys(PARTS).join(', ')}`)
  process.exit(2)
}
for (const [part, run] of Object.entries(PARTS)) if (chosen.length === 0 || chosen.includes(part)) await run()

/** Runs both pages on one server that charges nothing. The second page continues in the shell of the first. */
async function guides(folder) {
  const port = await freePort()
  const env = { BILLING_ENABLED: 'true', BILLING_BUNDLES_ENABLED: 'true', BILLING_TEST_CLOCKS: 'true' }
  const server = await startDemo({ port, data: join(folder, 'data'), printed: /Demo-/, env })
  const { token } = shownSecrets(server.printed())
  const given = { TOKEN: token, URL: `http://127.0.0.1:${port}` }
  const told = await runPage(['billing-for-customers.md', 'billing-for-auditors.md'], { folder, env: given })
  await server.stop()
  return told
}

/** This page starts and stops its own server and provider. */
async function operators(folder) {
  const env = { PORT: String(await freePort()), NODE_ENV: 'development' }
  return runPage('billing-for-operators.md', { folder, env })
}

async function story({ folder, env }) {
  const { told, printed } = await withFake('card', '--webhook', '/api/billing/card-provider/webhook', {
    ...{ page: 'billing-story.md', folder },
    env: { ...env, BILLING_LIFECYCLE_CHECK_INTERVAL_MS: '1000' },
  })
  if (told.code === 0) assert.match(printed, /Subject: A payment for Team failed/, 'the e-mail about the payment')
  return told
}

async function marketplace({ folder, env }) {
  const path = '/api/billing/marketplace/notifications'
  const { told } = await withFake('marketplace', '--endpoint', path, { page: 'marketplace-story.md', folder, env })
  return told
}

/**
 * Runs a page on a server with a fake provider. The fake sends to the server's `path`, which `option` tells it.
 *
 * @param {'card' | 'marketplace'} name of the fake
 * @param {string} option
 * @param {string} path
 * @param {{ page: string, folder: string, env: Record<string, string> }} given
 */
async function withFake(name, option, path, { page, folder, env }) {
  const [port, fakePort] = [await freePort(), await freePort()]
  const data = join(folder, 'data')
  const url = `http://127.0.0.1:${port}`
  const at = `http://127.0.0.1:${fakePort}`
  const argv = ['billing', 'fake', name, '--port', String(fakePort), option, `${url}${path}`]
  const fake = await startFake(argv, `${at}/_fake/state`)
  try {
    const settings = { ...fake.settings, ...env, PUBLIC_URL: url, BILLING_BUNDLES_ENABLED: 'true' }
    const server = await startDemo({ port, data, printed: /Demo-/, env: settings })
    const { token, password } = shownSecrets(server.printed())
    const shown = { TOKEN: token, PASSWORD: password, URL: url, DATA_DIR: data, FAKE: at }
    const told = await runPage(page, { folder, env: { ...fake.settings, ...env, ...shown } })
    await server.stop()
    return { told, printed: server.printed() }
  } finally {
    fake.stop()
  }
}
