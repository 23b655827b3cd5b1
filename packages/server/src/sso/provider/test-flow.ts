/** A test sign-in: shows the claims of a provider and their effect, and changes nothing. */
import Type from 'typebox'
import { sessionOf } from '../../identity/index.js'
import { type PrepareContext, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { askingOf, insertFlow, newSecrets, peerOf, startUrlOf, UNBOUND } from '../flow/begin.js'
import { ssoOf } from '../services.js'
import { findProvider } from './record.js'

export const TestAddress = strictObject({
  url: Type.String({ description: 'Open it in a browser; valid once, for 10 minutes' }),
})

/** @param providerId null for the default provider. */
export async function prepareTest(context: PrepareContext, providerId: string | null) {
  const session = sessionOf(context.principal)
  const provider = await context.read((db) => findProvider(db, tenantId(context), providerId))
  const secrets = newSecrets()
  // An error in the address or the metadata is reported before the browser opens.
  const { oidc } = ssoOf(context.runtime)
  const peer = peerOf(context.runtime, provider)
  await oidc.check(peer)
  await oidc.authorizeUrl(peer, askingOf(provider, secrets, 'test'))
  return { session, provider, secrets }
}

export async function startTest(
  { tx, runtime }: WriteContext,
  { session, provider, secrets }: Awaited<ReturnType<typeof prepareTest>>,
) {
  await insertFlow(tx, runtime, provider, secrets, { kind: 'test', browserHash: UNBOUND, ...session })
  return unchanged({ url: startUrlOf(runtime, secrets.state) })
}
