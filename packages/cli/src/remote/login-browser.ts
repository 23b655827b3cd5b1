/** `plumbline login --sso` and `--provider`: the browser signs in at the identity provider, and this process takes the session up. */
import { unwrap } from '@plumbline/client'
import { type Invocation, type Io, UsageError } from '../command.js'
import { write } from '../program/write.js'
import { printable } from '../report/reporter.js'
import { openBrowser } from './browser.js'
import { openLoopback } from './loopback.js'
import { type Tokens, withSecondFactor } from './second-factor.js'
import { anonymousClient, telling } from './session.js'

interface Way {
  begin(body: { kind: 'program'; loopback: string; challenge: string }): Promise<{ readonly url: string }>
  exchange(body: { grant: string; verifier: string }): Promise<Tokens>
}

/** @param orgId id or slug. */
export function signInByOrganization(url: string, orgId: string, invocation: Invocation, io: Io): Promise<Tokens> {
  const client = anonymousClient(url)
  const way: Way = {
    begin: (body) => unwrap(client.POST('/auth/sso/{orgId}/authorize', { params: { path: { orgId } }, body })),
    exchange: (body) => unwrap(client.POST('/auth/sso/exchange', { body })),
  }
  return signInBy(way, invocation, io)
}

export function signInByProvider(url: string, provider: string, invocation: Invocation, io: Io): Promise<Tokens> {
  const client = anonymousClient(url)
  const way: Way = {
    begin: (body) => unwrap(client.POST('/auth/oauth/{provider}/url', { params: { path: { provider } }, body })),
    exchange: (body) => withSecondFactor(client, io, () => unwrap(client.POST('/auth/oauth/exchange', { body }))),
  }
  return signInBy(way, invocation, io)
}

async function signInBy(way: Way, invocation: Invocation, io: Io): Promise<Tokens> {
  const loopback = await openLoopback()
  try {
    const { challenge, verifier } = loopback
    const { url } = await telling(() => way.begin({ kind: 'program', loopback: loopback.address, challenge }))
    await show(url, invocation, io)
    const grant = await loopback.grant()
    return await telling(() => way.exchange({ grant, verifier }))
  } finally {
    loopback.close()
  }
}

/** Opens the address in the browser; prints it too, for the person whose browser is another one. */
export async function show(address: string, invocation: Invocation, io: Io): Promise<void> {
  const { protocol } = new URL(address)
  // A server is not trusted with what the system opens by other schemes.
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new UsageError('the server names an address that is not a page')
  const isOpened = invocation.options['browser'] !== false && (await openBrowser(address))
  await write(io.stderr, `${isOpened ? 'the browser opens' : 'open in your browser'}: ${printable(address)}\n`)
}
