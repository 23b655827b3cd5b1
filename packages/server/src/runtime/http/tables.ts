/** Stored answers, so that a retried request has its effect once. */
import { tableSet, tenant } from '../store/table-set.js'

export const httpTables = tableSet(
  'http',
  (k) => {
    const idempotencyKeys = k.table(
      'idempotency_keys',
      {
        /** SHA-256 over organization, caller, method, path and key. */
        keyHash: k.text('key_hash').primaryKey(),
        orgId: k.text('org_id'),
        /** SHA-256 over method, path, query and canonical body. */
        requestHash: k.text('request_hash').notNull(),
        /** claimed, done */
        state: k.text('state').notNull(),
        /**
         * The claim of the request that runs. A request whose lease ended and whose claim was taken over cannot finish.
         */
        claimId: k.text('claim_id').notNull(),
        leaseUntilMs: k.epochMs('lease_until_ms').notNull(),
        /** Status, headers and body of the answer, sealed with a key that is derived from the Idempotency-Key alone. */
        answer: k.text('answer'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        expiresAtMs: k.epochMs('expires_at_ms').notNull(),
      },
      (t) => [k.index('idempotency_keys_expiry').on(t.expiresAtMs)],
    )
    return { idempotencyKeys }
  },
  { idempotencyKeys: tenant() },
)
