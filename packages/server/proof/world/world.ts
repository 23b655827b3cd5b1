/**
 * Twenty organizations for the proofs: roots, some with teams, that know nothing of each other. Every record of each of
 * them holds a text that stands nowhere else (a canary), so that a byte that crosses a border is seen wherever it lands.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app.js'
import { sealBatch } from '../../src/audit/chain/seal-batch.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { identityOf } from '../../src/identity/services.js'
import { heldClock } from '../../src/runtime/clock.js'
import { createLog } from '../../src/runtime/log/log.js'
import { testSettings } from '../../test/support/settings.js'
import { Builder } from './builder.js'
import { type Engine, openProofDatabase } from './database.js'
import type { World } from './model.js'

const START_MS = Date.parse('2026-11-21T10:00:00.000Z')

/** A token may be this much from the future (30 s), with room. */
const CLOCK_BACK_MS_MAX = 20_000

const SETTINGS = {
  AUTH_LIMITER_MAX: '0',
  STEP_UP_LIMITER_MAX: '0',
  INVITATION_LIMITER_MAX: '0',
  EXPORT_LIMITER_MAX: '0',
  AUDIT_EXPORT_LIMITER_MAX: '0',
  INGEST_RATE_MAX: '0',
  LIMITER_MAX: '0',
  MESSAGE_SEND_RATE_MAX: '0',
  MESSAGE_ATTACHMENT_RATE_MAX: '0',
  PLUGIN_UPLOAD_RATE_MAX: '0',
}

export async function buildWorld(engine: Engine, more: Readonly<Record<string, string>> = {}): Promise<World> {
  const database = await openProofDatabase(engine)
  const clock = heldClock(START_MS)
  let logged = ''
  const keep = (line: string): void => {
    logged += line
  }
  const files = mkdtempSync(join(tmpdir(), 'plumbline-proof-files-'))
  const settings = testSettings({ ...SETTINGS, ...more, LOG_LEVEL: 'debug', DATA_DIR: files })
  const log = createLog({ level: 'debug', destination: { write: keep } })
  let latest: App | null = null
  const open = (): App => {
    const app = createApp({ store: database.store, settings, log, clock, random: () => 0.5, print: () => {} })
    // Nothing is sealed while a proof runs: what callers wrote before would stand in their trails for good.
    Object.assign(app.runtime, { onEvidence: () => undefined })
    latest = app
    return app
  }
  const app = open()
  await prepareFirstStart(app.runtime)
  const built = await new Builder(app).build()
  await sealAll(app)
  await app.close()
  await database.remember()
  return {
    database,
    ...built,
    open,
    async reset() {
      // The use of a token is marked beside the request, also of one that was refused at once.
      if (latest !== null) await identityOf(latest).settle()
      await database.restore()
      // What was read at a later instant than now is not believed; the clock stays within the life of the tokens.
      const next = clock.now() - 1
      clock.set(next > START_MS - CLOCK_BACK_MS_MAX ? next : START_MS + CLOCK_BACK_MS_MAX)
    },
    later: (ms) => clock.advance(ms),
    takeLog() {
      const taken = logged
      logged = ''
      return taken
    },
    async close() {
      await database.close()
      rmSync(files, { recursive: true, force: true })
    },
  }
}

async function sealAll({ runtime }: App): Promise<void> {
  for (let left = true; left; ) left = (await runtime.store.system.write((tx) => sealBatch(tx), 'proof')).left
}
