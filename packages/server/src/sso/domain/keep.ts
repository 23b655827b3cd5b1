/** Writes the result of a domain check. The caller runs with the rights of the system. */
import { and, eq, ne } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { lockName } from '../../runtime/store/postgres.js'
import { type DomainRow, ssoTables } from '../tables.js'
import { after, isProven, type Look } from './proof.js'

export type Kept =
  | { readonly kind: 'held' | 'lost' | 'same'; readonly row: DomainRow; readonly isNew: boolean }
  | { readonly kind: 'taken' }

/**
 * A domain has one holder: a newer proof takes it over once the old proof has lapsed.
 * @returns `taken` when another organization still proves the domain; nothing is written then.
 */
export async function keepLook(tx: Tx, row: DomainRow, look: Look): Promise<Kept> {
  const { idpDomains: t } = ssoTables(tx)
  const seen = after(row, look)
  const isThere = seen.verifiedAtMs !== null && seen.missingSinceMs === null
  if (isThere && row.heldDomain === null) {
    // Of two organizations whose records are there, one holds the domain and the other one is refused.
    await lockName(tx, `domain ${row.domain}`)
    const [other] = await tx
      .select()
      .from(t)
      .where(and(eq(t.heldDomain, row.domain), ne(t.id, row.id)))
    // guard: one-holder-of-a-domain
    if (other !== undefined && isProven(other, look.atMs)) return { kind: 'taken' }
    if (other !== undefined) await tx.update(t).set({ heldDomain: null }).where(eq(t.id, other.id))
  }
  const next: DomainRow = { ...row, ...seen, heldDomain: isThere ? row.domain : row.heldDomain }
  await tx.update(t).set(next).where(eq(t.id, row.id))
  const isNew = next.heldDomain !== null && row.heldDomain === null
  const wasLost = row.missingSinceMs !== null
  if (next.missingSinceMs !== null && !wasLost) return { kind: 'lost', row: next, isNew: false }
  return { kind: isThere ? 'held' : 'same', row: next, isNew }
}
