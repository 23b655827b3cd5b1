/**
 * Keeps evidence from being changed by mistake or through a flaw in the application: triggers, and on PostgreSQL
 * rights. Only the procedures of prune and erase can change it. None of this stops the owner of the file or of the
 * database; signed checkpoints that outsiders keep reveal such a change.
 *
 * Source: spec billing-audit 24; spec billing-audit 20 and 21.
 */

import { grantToOwner, makeRole, PROCEDURE_ROLE as ROLE } from '../runtime/store/role-statements.js'

/** Columns of the salted fields of a record; erasing sets them to null. */
const ERASABLE = ['actor_email', 'ip', 'user_agent', 'identity_salt', 'details', 'details_salt'] as const
const FIXED = [
  'chain',
  'seq',
  'id',
  'action',
  'actor_id',
  'actor_role',
  'org_id',
  'affected_org_id',
  'target_type',
  'target_id',
  'group_id',
  'impersonator_id',
  'outcome',
  'request_id',
  'trace_id',
  'idempotency_key',
  'occurred_at',
  'created_at',
  'prev_hash',
  'identity_hash',
  'details_hash',
  'hash',
] as const

const isErasure = (isNot: string) =>
  [
    ...FIXED.map((column) => `NEW.${column} ${isNot} OLD.${column}`),
    ...ERASABLE.map((column) => `(NEW.${column} IS NOT NULL AND NEW.${column} ${isNot} OLD.${column})`),
  ].join(' OR ')

/** `plumbline_maintenance()` is a function of our own connection: for any other program the trigger fails. */
export const SQLITE_GUARDS = [
  `CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events BEGIN
  SELECT plumbline_maintenance();
END;`,
  `CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events BEGIN
  SELECT plumbline_maintenance();
  SELECT RAISE(ABORT, 'an event can be erased, not changed') WHERE ${isErasure('IS NOT')};
END;`,
  // Two unique indexes over hashes would guarantee less, and each event would rewrite two index pages at random places:
  // ADR 46.
  `CREATE TRIGGER audit_events_link BEFORE INSERT ON audit_events WHEN NEW.seq <> 1 BEGIN
  SELECT RAISE(ABORT, 'an event names the hash of the one before it in its chain')
  WHERE NOT EXISTS (SELECT 1 FROM audit_events WHERE chain = NEW.chain AND seq = NEW.seq - 1 AND hash = NEW.prev_hash)
    AND NOT EXISTS (SELECT 1 FROM audit_anchors WHERE chain = NEW.chain AND through_seq = NEW.seq - 1 AND hash = NEW.prev_hash);
END;`,
]

const SEALED = ['audit_heads', 'audit_checkpoints', 'audit_anchors'] as const

/** The two procedures run with the rights of their owner. */
export const PG_PROCEDURE_OWNERS = [
  `GRANT USAGE, CREATE ON SCHEMA public TO ${ROLE};`,
  ...['plumbline_audit_prune(text, bigint)', 'plumbline_audit_erase(text, bigint[], text)'].flatMap((name) => [
    `ALTER FUNCTION ${name} OWNER TO ${ROLE};`,
    `REVOKE ALL ON FUNCTION ${name} FROM PUBLIC;`,
    `GRANT EXECUTE ON FUNCTION ${name} TO plumbline_system;`,
  ]),
  `REVOKE CREATE ON SCHEMA public FROM ${ROLE};`,
]

export const PG_GUARDS = [
  makeRole(ROLE),
  grantToOwner(ROLE),
  `GRANT SELECT, UPDATE, DELETE ON audit_events TO ${ROLE};`,
  `GRANT SELECT ON audit_checkpoints, audit_anchors TO ${ROLE};`,
  `CREATE POLICY audit_events_maintenance ON audit_events TO ${ROLE} USING (true) WITH CHECK (true);`,
  `CREATE POLICY audit_checkpoints_maintenance ON audit_checkpoints FOR SELECT TO ${ROLE} USING (true);`,
  `CREATE POLICY audit_anchors_maintenance ON audit_anchors FOR SELECT TO ${ROLE} USING (true);`,
  'REVOKE UPDATE, DELETE ON audit_events FROM plumbline_system;',
  'REVOKE INSERT, UPDATE, DELETE ON audit_events FROM plumbline_tenant;',
  ...SEALED.map((table) => `REVOKE INSERT, UPDATE, DELETE ON ${table} FROM plumbline_tenant;`),
  `CREATE FUNCTION plumbline_audit_guard() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_user <> '${ROLE}' THEN
    RAISE EXCEPTION 'audit events cannot be changed or deleted' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  IF ${isErasure('IS DISTINCT FROM')} THEN
    RAISE EXCEPTION 'an event can be erased, not changed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;`,
  'CREATE TRIGGER audit_events_guard BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION plumbline_audit_guard();',
  `CREATE FUNCTION plumbline_audit_no_truncate() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'audit events cannot be truncated' USING ERRCODE = 'insufficient_privilege';
END $$;`,
  // On PostgreSQL a trigger for each row costs more than the indexes, because a commit does not copy their whole pages
  // into a log.
  'CREATE UNIQUE INDEX audit_events_prev ON audit_events (chain, prev_hash);',
  'CREATE UNIQUE INDEX audit_events_hash ON audit_events (hash);',
  'CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION plumbline_audit_no_truncate();',
  `CREATE FUNCTION plumbline_audit_prune(p_chain text, p_through bigint) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE gone bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM public.audit_anchors WHERE chain = p_chain AND through_seq = p_through) THEN
    RAISE EXCEPTION 'pruning needs its anchor first';
  END IF;
  IF p_through > (SELECT coalesce(max(size), 0) FROM public.audit_checkpoints WHERE chain = p_chain) THEN
    RAISE EXCEPTION 'what no checkpoint covers cannot be pruned';
  END IF;
  DELETE FROM public.audit_events WHERE chain = p_chain AND seq <= p_through;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;`,
  `CREATE FUNCTION plumbline_audit_erase(p_chain text, p_seqs bigint[], p_part text) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE gone bigint;
BEGIN
  IF p_part = 'identity' THEN
    UPDATE public.audit_events SET actor_email = NULL, ip = NULL, user_agent = NULL, identity_salt = NULL
      WHERE chain = p_chain AND seq = ANY (p_seqs);
  ELSIF p_part = 'details' THEN
    UPDATE public.audit_events SET details = NULL, details_salt = NULL WHERE chain = p_chain AND seq = ANY (p_seqs);
  ELSE
    RAISE EXCEPTION 'a part is identity or details';
  END IF;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;`,
]
