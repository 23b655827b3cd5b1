/** Inserts a new personal access token. Only its hash is stored; the token itself is shown once. */

import type { Permission } from '../../runtime/operation/access.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { newPersonalToken, tokenHash } from '../credential/opaque-token.js'
import { credentialTables } from '../credential/tables.js'
import type { PersonalToken } from '../directory.js'

export interface NewPersonalToken {
  readonly orgId: string
  readonly userId: string
  readonly name: string
  readonly expiresInSeconds: number
  /** Null for all permissions that the owner has at each use. */
  readonly permissions: readonly Permission[] | null
  /** Ends with the next change of the password. */
  readonly bindToPassword?: boolean
}

/** The caller checks membership, ceiling and the number of tokens. */
export async function issuePersonalToken(
  tx: Tx,
  runtime: Pick<Runtime, 'clock' | 'ids'>,
  input: NewPersonalToken,
): Promise<{ token: string; row: PersonalToken }> {
  const token = newPersonalToken()
  const nowMs = runtime.clock.now()
  const row: PersonalToken = {
    id: runtime.ids.next(),
    orgId: input.orgId,
    userId: input.userId,
    name: input.name,
    tokenHash: tokenHash(token),
    hint: token.slice(-4),
    permissions: input.permissions === null ? null : [...input.permissions],
    bindToPassword: input.bindToPassword ?? false,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + input.expiresInSeconds * 1000,
    lastUsedAtMs: null,
    revokedAtMs: null,
  }
  await tx.insert(credentialTables(tx).personalAccessTokens).values(row)
  return { token, row }
}
