/** `node scripts/reports-story.mjs`: runs docs/guide/reports-story.md on each database. */
import { join } from 'node:path'
import { freePort, startDemo } from './demo-server.mjs'
import { tellOnEachDatabase } from './story.mjs'
import { runPage, shownSecrets } from './tour-steps.mjs'

await tellOnEachDatabase('reports story', async ({ folder, env }) => {
  const port = await freePort()
  const server = await startDemo({ port, data: join(folder, 'data'), printed: /Demo-/, env })
  const { token, password } = shownSecrets(server.printed())
  const given = { TOKEN: token, PASSWORD: password, URL: `http://127.0.0.1:${port}` }
  const told = await runPage('reports-story.md', { folder, env: given })
  await server.stop()
  return told
})
