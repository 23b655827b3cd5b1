/**
 * The statements of migrations about roles. An owner of the tables that may neither make nor grant roles is fine where an
 * administrator has done both before.
 */

/** Roles belong to the whole server: another database's migration may make the same one meanwhile. */
export const makeRole = (role: string): string => `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;`

/** Makes the owner a member of the role. */
export const grantToOwner = (role: string): string => `DO $$ BEGIN
  EXECUTE format('GRANT ${role} TO %I', current_user);
EXCEPTION WHEN insufficient_privilege THEN
  IF NOT pg_has_role(current_user, '${role}', 'MEMBER') THEN RAISE; END IF;
END $$;`

/** Owns procedures that run with more rights than their callers. Nobody logs in as it, and no pool takes it on. */
export const PROCEDURE_ROLE = 'plumbline_maintenance'
