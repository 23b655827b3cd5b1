/** Service principals of the system: programs that act for any organization. */
import { tokenHash } from '../../src/identity/credential/opaque-token.js'
import { identityTables } from '../../src/identity/tables.js'
import type { IdentityApp } from './sign-in.js'

const SECRET = 'plk_service'

/** An access token of a new principal with these scopes. It is valid for five minutes. */
export async function serviceToken(app: IdentityApp, scopes: readonly string[]): Promise<string> {
  const id = app.runtime.ids.next()
  const nowMs = app.clock.now()
  await app.runtime.store.system.write(async (tx) => {
    await tx.insert(identityTables(tx).servicePrincipals).values({
      id,
      orgId: null,
      name: id,
      nameKey: `system:${id}`,
      clientId: id,
      secretHash: tokenHash(SECRET),
      secretHint: '',
      previousSecretHash: null,
      previousUntilMs: null,
      scopes: [...scopes],
      includeTeams: false,
      expiresAtMs: nowMs + 365 * 86_400_000,
      validForMs: 365 * 86_400_000,
      lastUsedAtMs: null,
      disabledAtMs: null,
      createdBy: 'test',
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
  })
  const answer = await app.call('POST', '/auth/token', {
    body: { grant_type: 'client_credentials', clientId: id, clientSecret: SECRET },
  })
  if (answer.status !== 200) throw new Error(`service token: ${JSON.stringify(answer.body)}`)
  return answer.data.accessToken
}
