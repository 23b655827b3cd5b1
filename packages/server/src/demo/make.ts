/**
 * Creates the demo in an empty store, with a month of history. The history is played before the server is ready: by a
 * separate app on the same store, whose clock is set to the instant that is played, through the same operations that
 * every caller uses. So log, findings, figures and audit trail agree.
 *
 * INVARIANT: that app sends no e-mail, listens at no port, and runs no schedule.
 */
import { type App, createApp } from '../app.js'
import { createDemo, type Demo, type DemoKeys, issueDemoToken, openDemo } from '../identity/index.js'
import { heldClock, MINUTE_MS, SECOND_MS } from '../runtime/clock.js'
import { type Log, silentLog } from '../runtime/log/log.js'
import type { Runtime } from '../runtime/operation/context.js'
import type { Settings } from '../runtime/settings/load.js'
import type { Store } from '../runtime/store/db.js'
import { historyStart, liveThrough } from './history/days.js'
import { handsOf, type Person } from './history/hands.js'
import { createRandom } from './history/random.js'

export interface ShownDemo extends Demo, DemoKeys {
  readonly hasHistory: boolean
}

interface Place {
  readonly runtime: Runtime
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}

const SEED = 21
/** Between the end of the history and now. */
const PAUSE_MS = MINUTE_MS

/** @returns null when the store was not empty: nothing was written. */
export async function makeDemo(place: Place): Promise<ShownDemo | null> {
  const made = wantsHistory(place.settings)
    ? await createWithHistory(place)
    : { demo: await createDemo(place.runtime), hasHistory: false }
  if (made.demo === null) return null
  return { ...made.demo, ...(await openDemo(place.runtime, made.demo)), hasHistory: made.hasHistory }
}

/** Modules that the history calls; a process without one of them gets no history. */
const MODULES = ['identity', 'compliance', 'plugin', 'pipeline', 'quota', 'audit'] as const

/** Without the setting: in development only. */
export const wantsHistory = ({
  PLUMBLINE_DEMO_HISTORY,
  NODE_ENV,
  PLUMBLINE_MODULES,
  PLUMBLINE_WORKERS,
}: Pick<Settings, 'PLUMBLINE_DEMO_HISTORY' | 'NODE_ENV' | 'PLUMBLINE_MODULES' | 'PLUMBLINE_WORKERS'>): boolean =>
  (PLUMBLINE_DEMO_HISTORY ?? NODE_ENV === 'development') &&
  PLUMBLINE_WORKERS &&
  MODULES.every((name) => PLUMBLINE_MODULES.includes(name))

async function createWithHistory({ runtime, store, settings, log }: Place) {
  const endMs = runtime.clock.now() - PAUSE_MS
  const clock = heldClock(historyStart(endMs))
  const app = createApp({
    store,
    settings: { ...settings, EMAIL_PROVIDER: 'none', REDIS_URL: null, LIMITER_MAX: 0, PLUGIN_UPLOAD_RATE_MAX: 0 },
    log: silentLog,
    clock,
    print: () => undefined,
  })
  try {
    const demo = await createDemo(app.runtime)
    if (demo === null) return { demo, hasHistory: false }
    return { demo, hasHistory: await tell(app, { demo, clock, endMs, log }) }
  } finally {
    await app.close()
  }
}

interface Telling {
  readonly demo: Demo
  readonly clock: ReturnType<typeof heldClock>
  readonly endMs: number
  readonly log: Log
}

/** @returns whether the whole history was played. A demo with an incomplete history is still usable. */
async function tell(app: App, { demo, clock, endMs, log }: Telling): Promise<boolean> {
  // The tokens expire at the end of the history.
  const seconds = Math.ceil((endMs - clock.now()) / SECOND_MS)
  const token = (username: Person) =>
    issueDemoToken(app.runtime, demo, { username, name: 'history of the demo', seconds })
  try {
    const tokens = {
      'demo-owner': await token('demo-owner'),
      'demo-admin': await token('demo-admin'),
      'demo-member': await token('demo-member'),
    }
    await liveThrough(handsOf(app, tokens, { clock, random: createRandom(SEED) }), endMs)
    return true
  } catch (error) {
    log.write('server.demo_history_failed', { error })
    return false
  }
}
