/** Takes a flow once: by its state and the cookie of the browser that began it. A neighbour's state takes nothing. */
import { and, eq, gt } from 'drizzle-orm'
import { tokenHash } from '../../identity/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { type FlowRow, ssoTables } from '../tables.js'

/** Committed before the provider is asked, so that of two requests one goes on, on every replica. */
export async function consumeFlow(
  { store }: Pick<Runtime, 'store'>,
  by: { readonly state: string; readonly browser: string | null; readonly providerId: string; readonly nowMs: number },
): Promise<FlowRow | null> {
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
