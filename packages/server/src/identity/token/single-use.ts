/**
 * Tokens that are valid once: the first use inserts their id, and the unique key of the table refuses a second insert.
 */
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { credentialTables } from '../credential/tables.js'
import { CLOCK_SKEW_SECONDS } from './tokens.js'

/** @returns false when the token was used before. */
export async function useTokenId(
  tx: Tx,
  { jti, exp }: { readonly jti: string; readonly exp: number },
): Promise<boolean> {
  const { usedTokenIds } = credentialTables(tx)
  // Kept until the clock of no replica accepts the token any more.
  return insertNew(tx, usedTokenIds, { jti, expiresAtMs: (exp + 2 * CLOCK_SKEW_SECONDS) * 1000 })
}
