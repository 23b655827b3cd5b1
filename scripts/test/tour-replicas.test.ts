/**
 * Runs the tour on three replicas behind a load balancer. Whichever replica runs a line, the next line goes to another
 * one and must find its results: records, files, rules in force, streams of a scan that runs elsewhere, deliveries,
 * evidence.
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
      // All replicas share one folder for files, as in compose.yaml.
      DATA_DIR: join(folder, 'data'),
    }
    replicas = await startReplicas(REPLICAS, settings, () => ({ DATA_DIR: settings.DATA_DIR }))
  })
  afterAll(async () => {
    await replicas?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('do together what the tour says, line by line', { timeout: 400_000 }, async () => {
    // They started together on an empty database. Only one of them created the demo and printed its secrets.
    const shown = Array.from({ length: REPLICAS }, (_, replica) => shownSecrets(replicas.output(replica)))
    const [secrets = { token: '', password: '' }, ...others] = shown.filter(({ token }) => token !== '')
    expect(others).toEqual([])
    const work = join(folder, 'work')
    mkdirSync(work)
    const { code, count, said } = await runTour({ url: replicas.url, hookPort, folder: work, ...secrets })
    expect(code, said).toBe(0)
    expect(count).toBeGreaterThan(40)
    // Every replica handled some of the requests.
    for (let replica = 0; replica < REPLICAS; replica++) expect(replicas.output(replica)).toMatch(/"operation":/)
  })
})
