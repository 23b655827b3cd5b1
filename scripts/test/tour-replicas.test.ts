/**
 * The tour over three replicas behind a balancer: whichever of them answers a line, the next line, which goes to another one,
 * meets what it left: records, files, rules in force, streams of a scan that runs elsewhere, deliveries, evidence.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Replicas, startReplicas } from '../../packages/server/test/support/replica-processes.js'
import { postgresMissing, redisMissing } from '../../packages/server/test/support/stores.js'
import { freePort } from '../demo-server.mjs'
import { runTour, shownSecrets } from '../tour-steps.mjs'

const hasTools = spawnSync('bash', ['-c', 'command -v curl zip openssl']).status === 0
const missing =
  (await postgresMissing()) ?? (await redisMissing()) ?? (hasTools ? null : 'bash with curl, zip and openssl')
const REPLICAS = 3

describe.skipIf(missing !== null)(`three replicas${missing ? ` (${missing})` : ''}`, () => {
  let folder = ''
  let hookPort = 0
  let replicas: Replicas
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumbline-tour-'))
    hookPort = await freePort()
    const settings = {
      PLUMBLINE_DEMO: 'true',
      COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: `http://127.0.0.1:${hookPort}`,
      // The files of all of them lie in one folder, as in compose.yaml.
      DATA_DIR: join(folder, 'data'),
    }
    replicas = await startReplicas(REPLICAS, settings, () => ({ DATA_DIR: settings.DATA_DIR }))
  }, 120_000)
  afterAll(async () => {
    await replicas?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('do together what the tour says, line by line', { timeout: 400_000 }, async () => {
    // They started at the same time on an empty database: one of them made the demo, and showed it once.
    const shown = Array.from({ length: REPLICAS }, (_, replica) => shownSecrets(replicas.output(replica)))
    const [secrets = { token: '', password: '' }, ...others] = shown.filter(({ token }) => token !== '')
    expect(others).toEqual([])
    const work = join(folder, 'work')
    mkdirSync(work)
    const { code, count, said } = await runTour({ url: replicas.url, hookPort, folder: work, ...secrets })
    expect(code, said).toBe(0)
    expect(count).toBeGreaterThan(40)
    // It was no one replica's work.
    for (let replica = 0; replica < REPLICAS; replica++) expect(replicas.output(replica)).toMatch(/"operation":/)
  })
})
