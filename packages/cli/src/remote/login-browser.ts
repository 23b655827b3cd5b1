/** `plumbline login --sso`: the browser signs in at the identity provider, and this process takes the session up. */
import { unwrap } from '@plumbline/client'
import { type Invocation, type Io, UsageError } from '../command.js'
import { write } from '../program/write.js'
import { printable } from '../report/reporter.js'
import { openBrowser } from './browser.js'
import { openLoopback } from './loopback.js'
import { anonymousClient, telling } from './session.js'

interface Tokens {
  readonly accessToken?: string
  readonly refreshToken?: string
  readonly expiresIn?: number
}

/** @param orgId id or slug. */
export async function signInByOrganization(
  url: string,
  orgId: string,
  invocation: Invocation,
  io: Io,
): Promise<Tokens> {
  const client = anonymousClient(url)
  const loopback = await openLoopback()
  try {
    const { challenge, verifier } = loopback
    const begun = await telling(() =>
      unwrap(
        client.POST('/auth/sso/{orgId}/authorize', {
          params: { path: { orgId } },
          body: { kind: 'program', loopback: loopback.address, challenge },
        }),
      ),
    )
    await show(begun.url, invocation, io)
    const grant = await loopback.grant()
    return await telling(() => unwrap(client.POST('/auth/sso/exchange', { body: { grant, verifier } })))
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
