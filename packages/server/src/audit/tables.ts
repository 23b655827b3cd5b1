/** The sealed log: events, one head a chain, signed checkpoints, and the anchors of what retention removed. */
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

export const auditTables = tableSet(
  'audit',
  (k) => {
    const auditEvents = k.table(
      'audit_events',
      {
        chain: k.text('chain').notNull(),
        seq: k.large('seq').notNull(),
        id: k.text('id').notNull(),
        action: k.text('action').notNull(),
        actorId: k.text('actor_id').notNull(),
        actorRole: k.text('actor_role'),
        orgId: k.text('org_id'),
        affectedOrgId: k.text('affected_org_id'),
        targetType: k.text('target_type'),
        targetId: k.text('target_id'),
        groupId: k.text('group_id'),
        impersonatorId: k.text('impersonator_id'),
        outcome: k.text('outcome').notNull(),
        requestId: k.text('request_id'),
        traceId: k.text('trace_id'),
        idempotencyKey: k.text('idempotency_key'),
        occurredAt: k.text('occurred_at'),
        createdAt: k.text('created_at').notNull(),
        prevHash: k.text('prev_hash').notNull(),
        actorEmail: k.text('actor_email'),
        ip: k.text('ip'),
        userAgent: k.text('user_agent'),
        identitySalt: k.text('identity_salt'),
        identityHash: k.text('identity_hash').notNull(),
        details: k.text('details'),
        detailsSalt: k.text('details_salt'),
        detailsHash: k.text('details_hash'),
        erasedAt: k.text('erased_at'),
        hash: k.text('hash').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.chain, t.seq] }),
        k.uniqueIndex('audit_events_prev').on(t.chain, t.prevHash),
        k.uniqueIndex('audit_events_hash').on(t.hash),
        k.uniqueIndex('audit_events_id').on(t.id),
        k.index('audit_events_org').on(t.orgId, t.createdAt),
        k.index('audit_events_affected').on(t.affectedOrgId, t.createdAt),
      ],
    )
    const auditHeads = k.table('audit_heads', {
      chain: k.text('chain').primaryKey(),
      seq: k.large('seq').notNull(),
      hash: k.text('hash').notNull(),
      createdAt: k.text('created_at').notNull(),
      frontier: k.json<unknown>('frontier').notNull(),
    })
    return { auditEvents, auditHeads }
  },
  {
    auditEvents: tenant('org_id', { alsoReadableBy: 'affected_org_id' }),
    auditHeads: global('the sequencer alone reads and writes it, for every chain'),
  },
)
