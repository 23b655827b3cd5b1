/** Sign-ins from many networks at once, each of them within the limits by address, beside people who want to sign in. */
import { type Answer, PASSWORD, type Target } from '../attacks/target.js'

/** Requests that each network keeps waiting. */
const AT_ONCE = 4
/** Of an address within the window; then the attacker takes the next address of the same network. */
const PER_ADDRESS = 20
const PAUSE_MS = 500
/** Fast enough that the line is always full; the rest of the server is not what is tried here. */
const REFUSED_PAUSE_MS = 1000

const HOME = '203.0.113.7'
const ELSEWHERE = '198.51.100.9'

export async function floodSignIns(target: Target, networks: number, seconds: number) {
  const signIn = (from: string, identifier: string, password: string): Promise<Answer> =>
    target.call('POST', '/auth/login', { body: { identifier, password }, headers: { 'x-forwarded-for': from } })
  const known = await target.signUp('regular')
  await target.signUp('traveller')
  // From then on the server knows where the person signs in from.
  if ((await signIn(HOME, known.name, PASSWORD)).status !== 200) throw new Error('nobody can sign in')

  const endMs = performance.now() + seconds * 1000
  const isGoingOn = () => performance.now() < endMs
  let sent = 0
  let turnedAway = 0
  const attack = async (network: number, thread: number) => {
    for (let n = 0; isGoingOn(); n++) {
      const host = thread * 60 + Math.floor(n / PER_ADDRESS) + 1
      const { status } = await signIn(
        `10.${network >> 8}.${network & 255}.${host}`,
        `nobody${network}`,
        'Wrong-Horse-1',
      )
      sent += 1
      if (status !== 503) continue
      turnedAway += 1
      await new Promise((resolve) => setTimeout(resolve, REFUSED_PAUSE_MS))
    }
  }
  const attacks = Array.from({ length: networks * AT_ONCE }, (_, n) => attack(n % networks, Math.floor(n / networks)))
  const home = trying(() => signIn(HOME, known.name, PASSWORD), isGoingOn)
  const away = trying(() => signIn(ELSEWHERE, 'traveller', PASSWORD), isGoingOn)
  const [atHome, elsewhere] = [await home, await away]
  await Promise.all(attacks)
  return {
    isGood: atHome.failed === 0 && atHome.done > 0 && (networks > 60 || elsewhere.done > 0),
    figures:
      `${sent} guesses from ${networks} networks in ${seconds} s, ${turnedAway} turned away; ` +
      `somebody known signed in ${told(atHome)}; somebody new ${told(elsewhere)}`,
  }
}

interface Tries {
  readonly done: number
  readonly failed: number
  readonly longestMs: number
}

const told = ({ done, failed, longestMs }: Tries): string =>
  `${done} of ${done + failed} times, at the longest after ${Math.round(longestMs)} ms`

/** Once after another, with a pause, as a person would. */
async function trying(run: () => Promise<Answer>, isGoingOn: () => boolean): Promise<Tries> {
  let done = 0
  let failed = 0
  let longestMs = 0
  while (isGoingOn()) {
    const startedMs = performance.now()
    const { status } = await run()
    // A person within the limit of their address, which is not what is tried here.
    if (status === 429) break
    if (status === 200) done += 1
    else failed += 1
    longestMs = Math.max(longestMs, performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return { done, failed, longestMs }
}
