/**
 * Uses a flow up once, by its state and the cookie of the browser that started it. A state from another browser has no
 * effect.
 */
import { and, eq, gt } from 'drizzle-orm'
import { tokenHash } from '../../identity/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { SignInRefused } from '../oidc/reasons.js'
import { type FlowRow, ssoTables } from '../tables.js'

interface Returned {
  readonly state: string
  readonly browser: string | null
  readonly providerId: string
  readonly nowMs: number
}

/** Committed before the provider is called, so that of two requests only one continues, on every replica. */
export async function consumeFlow({ store }: Pick<Runtime, 'store'>, by: Returned): Promise<FlowRow | null> {
  const { state, browser, providerId, nowMs } = by
  if (browser === null) return null
  const [flow] = await store.system.write(async (tx) => {
    const { authFlows: t } = ssoTables(tx)
    return tx
      .delete(t)
      .where(
        and(
          eq(t.stateHash, tokenHash(state)),
          // guard: a-flow-belongs-to-its-browser
          eq(t.browserHash, tokenHash(browser)),
          // guard: one-redirect-address-a-provider
          eq(t.providerId, providerId),
          // guard: a-flow-ends
          gt(t.expiresAtMs, nowMs),
        ),
      )
      .returning()
  })
  return flow ?? null
}

/** The reason why an existing flow was not used, for the organization's audit log; null for an unknown state. */
export async function untaken(
  db: Db,
  { state, browser, providerId, nowMs }: Returned,
): Promise<{ readonly flow: FlowRow; readonly refusal: SignInRefused } | null> {
  const { authFlows: t } = ssoTables(db)
  const [flow] = await db
    .select()
    .from(t)
    .where(eq(t.stateHash, tokenHash(state)))
  if (flow === undefined) return null
  const because = (reason: 'redirect' | 'late' | 'browser') => ({ flow, refusal: new SignInRefused(reason) })
  if (flow.providerId !== providerId) return because('redirect')
  if (browser === null || flow.browserHash !== tokenHash(browser)) return because('browser')
  return flow.expiresAtMs <= nowMs ? because('late') : null
}
