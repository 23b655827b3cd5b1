/**
 * Statements of migrations about roles. An owner of the tables who may neither make nor grant roles is accepted when an
 * administrator has done both before.
 */

/** Roles belong to the whole server, so a migration of another database may create the same role at the same time. */
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

/** The owner of procedures that run with more rights than their callers. It has no login, and no pool uses it. */
export const PROCEDURE_ROLE = 'plumbline_maintenance'
