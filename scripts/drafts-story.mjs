/**
 * `node scripts/drafts-story.mjs`: runs docs/guide/drafts-story.md on each database, with a local fake of models and
 * forges.
 */
import { join } from 'node:path'
import { freePort, startDemo, startFake } from './demo-server.mjs'
import { tellOnEachDatabase } from './story.mjs'
import { runPage, shownSecrets } from './tour-steps.mjs'

await tellOnEachDatabase('drafts story', async ({ folder, env }) => {
  const [port, fakePort] = [await freePort(), await freePort()]
  const answers = `http://127.0.0.1:${fakePort}/api/v3/repos/acme/shop`
  const fake = await startFake(['ai', 'fake', '--port', String(fakePort)], answers)
  try {
    const settings = { ...fake.settings, ...env }
    const server = await startDemo({ port, data: join(folder, 'data'), printed: /Demo-/, env: settings })
    const { token } = shownSecrets(server.printed())
    const given = { TOKEN: token, URL: `http://127.0.0.1:${port}` }
    const told = await runPage('drafts-story.md', { folder, env: given })
    await server.stop()
    return told
  } finally {
    fake.stop()
  }
})
