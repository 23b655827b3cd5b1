/** `node scripts/tour.mjs`: runs docs/guide/tour.md as a reader would, against `npm start` on an empty data directory. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startDemo, stopAll } from './demo-server.mjs'
import { runTour, shownSecrets } from './tour-steps.mjs'
import { buildIfStale, installIfNeeded } from './workspace.mjs'

await installIfNeeded()
await buildIfStale()

const folder = mkdtempSync(join(tmpdir(), 'plumbline-tour-'))
try {
  const port = await freePort()
  const hookPort = await freePort()
  const server = await startDemo({
    port,
    data: join(folder, 'data'),
    printed: /Demo-/,
    env: { COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: `http://127.0.0.1:${hookPort}` },
  })
  const { code, count, said } = await runTour({
    url: `http://127.0.0.1:${port}`,
    hookPort,
    folder,
    ...shownSecrets(server.printed()),
  })
  process.stdout.write(said)
  assert.equal(code, 0, 'a step of the tour did not do what it says')
  await server.stop()
  console.log(`tour: ${count} commands did what the page says`)
} finally {
  stopAll()
  rmSync(folder, { recursive: true, force: true })
}
