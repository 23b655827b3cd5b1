/**
 * The sealed events, one chain for each organization, and what proves them: heads, checkpoints, anchors.
 *
 * INVARIANT: rows of `audit_events` are never changed or deleted, except by the procedures of prune and erase. A row
 * links to the previous row of its chain: see the guards for how each database enforces that (ADR 46).
 */
import { global, tableSet, tenant } from '../runtime/store/table-set.js'
import { happenedElsewhere } from './elsewhere.js'
import { PG_GUARDS, PG_PROCEDURE_OWNERS, SQLITE_GUARDS } from './guards.js'

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
        hash: k.text('hash').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.chain, t.seq] }),
        k.uniqueIndex('audit_events_id').on(t.id),
        k.index('audit_events_affected').on(t.affectedOrgId, t.createdAt),
        // Only events that an organization's people caused elsewhere: the others are found by the organization that
        // they are about.
        k.index('audit_events_org').on(t.orgId, t.createdAt).where(happenedElsewhere(t)),
        k.index('audit_events_actor').on(t.actorId),
        k.index('audit_events_created').on(t.createdAt),
      ],
    )
    /** The last event of each chain and the right edge of its tree; each append updates it by compare-and-set. */
    const auditHeads = k.table('audit_heads', {
      chain: k.text('chain').primaryKey(),
      seq: k.large('seq').notNull(),
      hash: k.text('hash').notNull(),
      createdAt: k.text('created_at').notNull(),
      frontier: k.json<{ size: number; nodes: readonly string[] }>('frontier').notNull(),
      /** Size of the newest signed checkpoint, 0 without one. */
      checkpointSize: k.large('checkpoint_size').notNull(),
    })
    const auditCheckpoints = k.table(
      'audit_checkpoints',
      {
        chain: k.text('chain').notNull(),
        size: k.large('size').notNull(),
        /** The signed note, with the cosignatures that were added later. */
        note: k.text('note').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.chain, t.size] })],
    )
    /** Signed lists of all heads, so that a missing chain is noticed. */
    const auditDirectories = k.table('audit_directories', {
      position: k.position('position'),
      note: k.text('note').notNull(),
      heads: k.json<readonly { chain: string; seq: number; hash: string }[]>('heads').notNull(),
      createdAtMs: k.epochMs('created_at_ms').notNull(),
    })
    /** Stands in for the pruned prefix of a chain. */
    const auditAnchors = k.table('audit_anchors', {
      chain: k.text('chain').primaryKey(),
      throughSeq: k.large('through_seq').notNull(),
      hash: k.text('hash').notNull(),
      prunedCount: k.large('pruned_count').notNull(),
      prunedAt: k.text('pruned_at').notNull(),
      origin: k.text('origin').notNull(),
      frontier: k.json<{ size: number; nodes: readonly string[] }>('frontier').notNull(),
      signature: k.text('signature').notNull(),
    })
    /** How far each witness has cosigned each chain. */
    const auditWitnessed = k.table(
      'audit_witnessed',
      {
        witness: k.text('witness').notNull(),
        chain: k.text('chain').notNull(),
        size: k.large('size').notNull(),
      },
      (t) => [k.primaryKey({ columns: [t.witness, t.chain] })],
    )
    /** Idempotency keys of events that services sent, so that a repeated delivery adds no second event. */
    const auditIngestKeys = k.table(
      'audit_ingest_keys',
      {
        service: k.text('service').notNull(),
        orgId: k.text('org_id').notNull(),
        key: k.text('key').notNull(),
        /** SHA-256 over the canonical event. */
        bodyHash: k.text('body_hash').notNull(),
        eventId: k.text('event_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.service, t.orgId, t.key] }),
        k.index('audit_ingest_keys_age').on(t.createdAtMs),
      ],
    )
    return {
      auditEvents,
      auditHeads,
      auditCheckpoints,
      auditDirectories,
      auditAnchors,
      auditWitnessed,
      auditIngestKeys,
    }
  },
  {
    auditEvents: tenant('org_id', { alsoReadableBy: 'affected_org_id' }),
    auditHeads: tenant('chain'),
    auditCheckpoints: tenant('chain'),
    auditDirectories: global('it names every chain; system administrators alone read it'),
    auditAnchors: tenant('chain'),
    auditWitnessed: global('the witness job alone reads and writes it, for every chain'),
    auditIngestKeys: global('ingest alone reads and writes it, for services of the system'),
  },
  { sqlite: SQLITE_GUARDS, pg: PG_GUARDS, pgOwners: PG_PROCEDURE_OWNERS },
)
