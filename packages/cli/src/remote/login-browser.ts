/** Sign-in by a browser: the person signs in at a provider, and the browser returns a grant to this process. */
import { unwrap } from '@plumbline/client'
import { type Io, UsageError } from '../command.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import { openBrowser } from './browser.js'
import { openLoopback } from './loopback.js'
import { type Tokens, withSecondFactor } from './second-factor.js'
import { anonymousClient, telling } from './session.js'

export interface Way<T> {
  begin(program: { loopback: string; challenge: string }): Promise<{ readonly url: string }>
  exchange(body: { grant: string; verifier: string }): Promise<T>
}

interface Shown {
  readonly io: Io
  readonly opensBrowser: boolean
}

/** @param orgId id or slug. */
export function signInByOrganization(url: string, orgId: string, shown: Shown): Promise<Tokens> {
  const client = anonymousClient(url)
  const path = { orgId }
  const way: Way<Tokens> = {
    begin: (program) =>
      unwrap(client.POST('/auth/sso/{orgId}/authorize', { params: { path }, body: { kind: 'program', ...program } })),
    exchange: (body) => unwrap(client.POST('/auth/sso/exchange', { body })),
  }
  return byBrowser(way, shown)
}

export function signInByProvider(url: string, provider: string, shown: Shown): Promise<Tokens> {
  const client = anonymousClient(url)
  const path = { provider }
  const way: Way<Tokens> = {
    begin: (program) =>
      unwrap(client.POST('/auth/oauth/{provider}/url', { params: { path }, body: { kind: 'program', ...program } })),
    exchange: (body) => withSecondFactor(client, shown.io, () => unwrap(client.POST('/auth/oauth/exchange', { body }))),
  }
  return byBrowser(way, shown)
}

export async function byBrowser<T>(way: Way<T>, shown: Shown): Promise<T> {
  const loopback = await openLoopback()
  try {
    const { challenge, verifier } = loopback
    const { url } = await telling(() => way.begin({ loopback: loopback.address, challenge }))
    await show(url, shown)
    const grant = await loopback.grant()
    return await telling(() => way.exchange({ grant, verifier }))
  } finally {
    loopback.close()
  }
}

/** Opens the address in the browser, and prints it for a person who wants to use another browser. */
export async function show(address: string, { io, opensBrowser }: Shown): Promise<void> {
  const { protocol } = new URL(address)
  // With another scheme, a hostile server could make the system open any program.
  if (protocol !== 'https:' && protocol !== 'http:') throw new UsageError('the server sent an invalid sign-in address')
  const isOpened = opensBrowser && (await openBrowser(address))
  await write(io.stderr, `${isOpened ? 'the browser opens' : 'open in your browser'}: ${printable(address)}\n`)
}
