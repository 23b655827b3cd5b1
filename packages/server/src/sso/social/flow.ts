/** A sign-in by a social account under way: kept from its beginning until the browser, or the program, comes back. Once. */
import { and, eq, gt } from 'drizzle-orm'
import { tokenHash } from '../../identity/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { flowPurpose, type Secrets } from '../flow/begin.js'
import { ssoOf } from '../services.js'
import { type SocialFlowKind, type SocialFlowRow, ssoTables } from '../tables.js'

const FLOW_MS = 600_000
const GRANT_MS = 60_000

export type SocialFacts = Pick<SocialFlowRow, 'provider' | 'boundHash'> & {
  readonly kind: SocialFlowKind
} & Partial<Pick<SocialFlowRow, 'userId' | 'sessionId' | 'action' | 'returnTo' | 'loopback' | 'challenge'>>

export async function insertSocialFlow(
  tx: Tx,
  runtime: Runtime,
  { state, nonce, verifier }: Secrets,
  facts: SocialFacts,
): Promise<void> {
  const stateHash = tokenHash(state)
  const row: SocialFlowRow = {
    userId: null,
    sessionId: null,
    action: null,
    returnTo: '/',
    loopback: null,
    challenge: null,
    ...facts,
    stateHash,
    nonce,
    sealedVerifier: ssoOf(runtime).box().seal(verifier, flowPurpose(stateHash)),
    expiresAtMs: runtime.clock.now() + (facts.kind === 'grant' ? GRANT_MS : FLOW_MS),
  }
  await tx.insert(ssoTables(tx).socialFlows).values(row)
}

/** Of a flow that was taken, for its provider. */
export const secretsOf = (runtime: Runtime, { nonce, sealedVerifier, stateHash }: SocialFlowRow) => ({
  nonce,
  verifier: ssoOf(runtime).box().open(sealedVerifier, flowPurpose(stateHash)),
})

/** Committed before the provider is asked, so that of two requests one goes on, on every replica. */
export async function consumeSocialFlow(
  { store }: Pick<Runtime, 'store'>,
  by: { readonly state: string; readonly browser: string | null; readonly provider: string; readonly nowMs: number },
): Promise<SocialFlowRow | null> {
  const { browser } = by
  if (browser === null) return null
  return store.system.write((tx) => takeSocialFlow(tx, { ...by, bound: tokenHash(browser) }))
}

export async function takeSocialFlow(
  tx: Tx,
  by: { readonly state: string; readonly bound: string; readonly provider: string | null; readonly nowMs: number },
): Promise<SocialFlowRow | null> {
  const { socialFlows: t } = ssoTables(tx)
  const [flow] = await tx
    .delete(t)
    .where(
      and(
        eq(t.stateHash, tokenHash(by.state)),
        // guard: a-social-sign-in-belongs-to-its-browser-or-program
        eq(t.boundHash, by.bound),
        // guard: one-redirect-address-a-social-provider
        by.provider === null ? eq(t.kind, 'grant') : eq(t.provider, by.provider),
        // guard: a-social-sign-in-ends
        gt(t.expiresAtMs, by.nowMs),
      ),
    )
    .returning()
  return flow ?? null
}
