/**
 * `node scripts/sign-on-story.mjs`: runs docs/guide/sign-on-story.md on each database, with a local fake provider and
 * name server.
 */
import { join } from 'node:path'
import { freePort, startDemo, startFake } from './demo-server.mjs'
import { tellOnEachDatabase } from './story.mjs'
import { runPage, shownSecrets } from './tour-steps.mjs'

/**
 * Sign-on needs a tier with this feature, and the page signs in and confirms more often than the default limits allow.
 */
const SETTINGS = { BILLING_ENABLED: 'false', AUTH_LIMITER_MAX: '200', STEP_UP_LIMITER_MAX: '50' }

await tellOnEachDatabase('sign-on story', async ({ folder, env }) => {
  const [port, fakePort, dnsPort] = [await freePort(), await freePort(), await freePort()]
  const data = join(folder, 'data')
  const FAKE = `http://127.0.0.1:${fakePort}`
  const ports = ['--port', String(fakePort), '--dns-port', String(dnsPort)]
  const fake = await startFake(['sso', 'fake', ...ports], `${FAKE}/.well-known/openid-configuration`)
  try {
    const server = await startDemo({ port, data, printed: /Demo-/, env: { ...fake.settings, ...SETTINGS, ...env } })
    const { password } = shownSecrets(server.printed())
    const given = { PASSWORD: password, URL: `http://127.0.0.1:${port}`, FAKE, DATA_DIR: data, ...env }
    const told = await runPage('sign-on-story.md', { folder, env: given })
    await server.stop()
    return told
  } finally {
    fake.stop()
  }
})
