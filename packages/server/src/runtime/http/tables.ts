/** Answers that are kept so that a retried request has its effect once. */
import { global, tableSet } from '../store/table-set.js'

export const httpTables = tableSet(
  'http',
  (k) => {
    const idempotencyKeys = k.table(
      'idempotency_keys',
      {
        /** SHA-256 over organization, caller, method, path and key. */
        keyHash: k.text('key_hash').primaryKey(),
        /** SHA-256 over method, path and canonical body. */
        requestHash: k.text('request_hash').notNull(),
        /** claimed, done */
        state: k.text('state').notNull(),
        leaseUntilMs: k.epochMs('lease_until_ms').notNull(),
        status: k.count('status'),
        /** The stored answer; encrypted under a key from the Idempotency-Key when it holds a secret. */
        body: k.text('body'),
        headers: k.json<Record<string, string>>('headers'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('idempotency_keys_expiry').on(t.expiresAtMs)],
    )
    return { idempotencyKeys }
  },
  { idempotencyKeys: global('the key hash already holds organization and caller, and a row is found by it alone') },
)
