/** One guess at a known name whenever its lock allows one, from ever new addresses, for days of a clock that is moved. */
import { createApp } from '../../src/app.js'
import { prepareFirstStart } from '../../src/identity/index.js'
import { heldClock } from '../../src/runtime/clock.js'
import { createLog } from '../../src/runtime/log/log.js'
import { testSettings } from '../../test/support/settings.js'
import { sqliteStore } from '../../test/support/stores.js'
import { PASSWORD } from '../attacks/target.js'

const HOME = '203.0.113.7'
const DAY_MS = 86_400_000
/** The owner signs in so often while the guesses go on. */
const EACH_MS = 6 * 3_600_000

export async function guessForDays(days: number) {
  const store = await sqliteStore()
  const clock = heldClock(Date.UTC(2026, 10, 23))
  const settings = testSettings({ TRUST_PROXY: '1', AUTH_LIMITER_MAX: '0', LIMITER_MAX: '0' })
  const log = createLog({ level: 'silent' })
  const app = createApp({ store, settings, log, clock, print: () => undefined })
  await prepareFirstStart(app.runtime)
  const post = (path: string, body: object, from: string) =>
    app.http.fetch(
      new Request(`http://plumbline.test/api${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify(body),
      }),
    )
  const signIn = async (from: string, password: string): Promise<Response> =>
    post('/auth/login', { identifier: 'known', password }, from)
  try {
    const account = { username: 'known', email: 'known@plumbline.test', password: PASSWORD, organizationName: 'Known' }
    const registered = (await post('/auth/register', account, HOME)).status
    if (registered !== 201 || (await signIn(HOME, PASSWORD)).status !== 200) throw new Error('nobody can sign in')
    const tally = { guesses: 0, judged: 0, home: 0, homeRefused: 0, road: 0, roadRefused: 0 }
    let nextMs = clock.now() + EACH_MS
    for (const endMs = clock.now() + days * DAY_MS; clock.now() < endMs; tally.guesses++) {
      const { status, headers } = await signIn(`10.0.${tally.guesses >> 8}.${tally.guesses & 255}`, 'Wrong-Horse-1')
      if (status === 401) tally.judged++
      clock.advance(status === 401 ? 60_000 : Number(headers.get('retry-after')) * 1000)
      if (clock.now() < nextMs) continue
      nextMs += EACH_MS
      const elsewhere = `192.0.2.${tally.road + tally.roadRefused + 1}`
      tally[(await signIn(elsewhere, PASSWORD)).status === 200 ? 'road' : 'roadRefused']++
      tally[(await signIn(HOME, PASSWORD)).status === 200 ? 'home' : 'homeRefused']++
    }
    return {
      isGood: tally.home > 0 && tally.homeRefused === 0,
      figures:
        `${tally.guesses} guesses in ${days} days, ${tally.judged} judged; the person signed in ${tally.home} of ` +
        `${tally.home + tally.homeRefused} times from a known network, ${tally.road} of ${tally.road + tally.roadRefused} from a new one`,
    }
  } finally {
    await app.close()
    await store.close()
  }
}
