/** The start of a sign-in: what the server stores until the browser comes back. */
import { randomBytes } from 'node:crypto'
import { tokenHash } from '../../identity/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import type { Begin, Peer } from '../oidc/client.js'
import { ownUrl } from '../own-url.js'
import { redirectUriOf } from '../paths.js'
import { secretPurpose, ssoOf } from '../services.js'
import { type FlowKind, type FlowRow, type ProviderRow, ssoTables } from '../tables.js'

const FLOW_MS = 600_000
/** The browser hash of a flow that no browser has taken up yet. */
export const UNBOUND = ''

const random = (): string => randomBytes(32).toString('base64url')

export const flowPurpose = (stateHash: string): string => `sso flow ${stateHash}`

export interface Secrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}
export const newSecrets = (): Secrets => ({ state: random(), nonce: random(), verifier: random() })

export interface FlowFacts {
  readonly kind: FlowKind
  readonly browserHash: string
  readonly userId?: string
  readonly sessionId?: string
  readonly action?: string
  readonly returnTo?: string
  readonly loopback?: string
  readonly challenge?: string
}

export function peerOf(runtime: Runtime, row: ProviderRow): Peer {
  const { id, revision, issuer, clientId, alg, sealedSecret } = row
  return {
    id,
    revision,
    issuer,
    clientId,
    alg,
    clientSecret: sealedSecret === null ? null : ssoOf(runtime).box().open(sealedSecret, secretPurpose(id)),
    redirectUri: redirectUriOf(ownUrl(runtime), id),
  }
}

/** The request to the provider. A step-up asks it to authenticate the person again. */
export const askingOf = (row: ProviderRow, { state, nonce, verifier }: Secrets, kind: FlowKind): Begin => ({
  state,
  nonce,
  verifier,
  scopes: row.scopes,
  again: kind === 'step-up',
})

export async function insertFlow(
  tx: Tx,
  runtime: Runtime,
  provider: Pick<ProviderRow, 'id' | 'orgId' | 'revision'>,
  { state, nonce, verifier }: Secrets,
  facts: FlowFacts,
): Promise<void> {
  const nowMs = runtime.clock.now()
  const stateHash = tokenHash(state)
  const row: FlowRow = {
    stateHash,
    kind: facts.kind,
    orgId: provider.orgId,
    providerId: provider.id,
    revision: provider.revision,
    nonce,
    sealedVerifier: ssoOf(runtime).box().seal(verifier, flowPurpose(stateHash)),
    browserHash: facts.browserHash,
    userId: facts.userId ?? null,
    sessionId: facts.sessionId ?? null,
    action: facts.action ?? null,
    returnTo: facts.returnTo ?? '/',
    loopback: facts.loopback ?? null,
    challenge: facts.challenge ?? null,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + FLOW_MS,
  }
  await tx.insert(ssoTables(tx).authFlows).values(row)
}

export const verifierOf = (runtime: Runtime, { sealedVerifier, stateHash }: FlowRow): string =>
  ssoOf(runtime).box().open(sealedVerifier, flowPurpose(stateHash))

/** The address at which a browser takes up a flow that a program started. */
export const startUrlOf = (runtime: Runtime, state: string): string =>
  `${ownUrl(runtime)}/sso/start?ticket=${encodeURIComponent(state)}`

/** The same for a flow with a social account. */
export const socialStartUrlOf = (runtime: Runtime, state: string): string =>
  `${ownUrl(runtime)}/oauth/start?ticket=${encodeURIComponent(state)}`
