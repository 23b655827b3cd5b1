/**
 * A pending sign-in by a social account. It is stored from its start until the browser, or the program, comes back, and
 * can be used once.
 */
import { and, eq, gt, notInArray } from 'drizzle-orm'
import { tokenHash } from '../../identity/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { flowPurpose, type Secrets } from '../flow/begin.js'
import { ssoOf } from '../services.js'
import { type SocialFlowKind, type SocialFlowRow, ssoTables } from '../tables.js'

const FLOW_MS = 600_000
const GRANT_MS = 60_000

export type SocialFacts = Pick<SocialFlowRow, 'provider' | 'boundHash'> & {
  readonly kind: SocialFlowKind
} & Partial<Pick<SocialFlowRow, 'userId' | 'sessionId' | 'action' | 'returnTo' | 'loopback' | 'challenge'>> & {
    readonly invitation?: string
  }

export async function insertSocialFlow(
  tx: Tx,
  runtime: Runtime,
  { state, nonce, verifier }: Secrets,
  { invitation, ...facts }: SocialFacts,
): Promise<void> {
  const stateHash = tokenHash(state)
  const box = ssoOf(runtime).box()
  const sealedInvitation = invitation === undefined ? null : box.seal(invitation, invitationPurpose(stateHash))
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
    sealedInvitation,
    sealedVerifier: box.seal(verifier, flowPurpose(stateHash)),
    expiresAtMs: runtime.clock.now() + (facts.kind === 'grant' || facts.kind === 'confirmation' ? GRANT_MS : FLOW_MS),
  }
  await tx.insert(ssoTables(tx).socialFlows).values(row)
}

const invitationPurpose = (stateHash: string): string => `sso invitation ${stateHash}`

/** The invitation token with which the flow started; null without one. */
export const invitationIn = (runtime: Runtime, { sealedInvitation, stateHash }: SocialFlowRow): string | null =>
  sealedInvitation === null ? null : ssoOf(runtime).box().open(sealedInvitation, invitationPurpose(stateHash))

/** The secrets of a flow that was used up, for the call to its provider. */
export const secretsOf = (runtime: Runtime, { nonce, sealedVerifier, stateHash }: SocialFlowRow) => ({
  nonce,
  verifier: ssoOf(runtime).box().open(sealedVerifier, flowPurpose(stateHash)),
})

interface Returned {
  readonly state: string
  readonly browser: string | null
  readonly provider: string
  readonly nowMs: number
}

/** Committed before the provider is called, so that of two requests only one continues, on every replica. */
export async function consumeSocialFlow(
  { store }: Pick<Runtime, 'store'>,
  by: Returned & { readonly purpose: 'sign-in' | 'invitation' },
): Promise<SocialFlowRow | null> {
  const { state, browser, nowMs, provider, purpose } = by
  if (browser === null) return null
  const of = { provider, purpose }
  return store.system.write((tx) => takeSocialFlow(tx, { state, bound: tokenHash(browser), nowMs, of }))
}

/** Whether the browser came back for an invitation, whose token the flow stores. */
export async function isOfInvitation(db: Db, { state, browser, provider, nowMs }: Returned): Promise<boolean> {
  if (browser === null) return false
  const { socialFlows: t } = ssoTables(db)
  const isIt = and(eq(t.stateHash, tokenHash(state)), eq(t.boundHash, tokenHash(browser)), eq(t.provider, provider))
  return (await db.$count(t, and(isIt, eq(t.kind, 'invitation'), gt(t.expiresAtMs, nowMs)))) > 0
}

export async function takeSocialFlow(
  tx: Tx,
  by: Pick<Returned, 'state' | 'nowMs'> & {
    readonly bound: string
    /** The kind of flow: one that a program takes up, or one of a browser that comes back from a provider. */
    readonly of: 'grant' | 'confirmation' | { readonly provider: string; readonly purpose: 'sign-in' | 'invitation' }
  },
): Promise<SocialFlowRow | null> {
  const { socialFlows: t } = ssoTables(tx)
  const { of } = by
  const isOfProgram = typeof of === 'string'
  const [flow] = await tx
    .delete(t)
    .where(
      and(
        eq(t.stateHash, tokenHash(by.state)),
        // guard: a-social-sign-in-belongs-to-its-browser-or-program
        eq(t.boundHash, by.bound),
        // guard: one-redirect-address-a-social-provider
        isOfProgram ? undefined : eq(t.provider, of.provider),
        // guard: a-social-sign-in-ends
        gt(t.expiresAtMs, by.nowMs),
        // guard: what-a-social-sign-in-began-it-ends
        isOfProgram ? eq(t.kind, of) : purposeIs(tx, of.purpose),
      ),
    )
    .returning()
  return flow ?? null
}

/** An invitation is completed by its own operation, and a browser cannot complete what waits for a program. */
function purposeIs(tx: Tx, purpose: 'sign-in' | 'invitation') {
  const { socialFlows: t } = ssoTables(tx)
  return purpose === 'invitation'
    ? eq(t.kind, 'invitation')
    : notInArray(t.kind, ['invitation', 'grant', 'confirmation'])
}
