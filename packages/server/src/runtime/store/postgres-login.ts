/**
 * Checks the separate logins of the two pools. Such a login can take one role only, so that an attacker who gets hold of
 * a connection cannot take another. The server checks this once, at the start: a login that can take more roles would
 * only look safe.
 */
import pg from 'pg'
import { BadSettings } from '../settings/bad-settings.js'

export interface Login {
  readonly name: string
  readonly database: string
  /** The roles that the login can take, other than itself. */
  readonly others: string[]
  /** True for superusers, and for logins that bypass row security or own tables: no policy restricts them. */
  readonly isAbove: boolean
  readonly hasTables: boolean
}

const LOOK = `SELECT current_user AS name, current_database() AS database,
  ARRAY(SELECT rolname::text FROM pg_roles WHERE rolname <> current_user AND pg_has_role(current_user, oid, 'MEMBER') ORDER BY 1) AS others,
  (SELECT rolsuper OR rolbypassrls OR rolcreaterole FROM pg_roles WHERE rolname = current_user)
    OR EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relowner = current_user::regrole) AS "isAbove",
  EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = 'schema_migrations') AS "hasTables"`

/**
 * @param setting The name of the setting, used in messages. They never contain the address.
 * @throws BadSettings that says what to do.
 */
export async function checkLogin(setting: string, url: string, role: string): Promise<void> {
  const problem = loginProblem(await look(setting, url), role)
  if (problem !== null) throw new BadSettings([`${setting}: ${problem}`])
}

async function look(setting: string, url: string): Promise<Login> {
  const client = new pg.Client({ connectionString: url, application_name: 'plumbline login check' })
  // A broken connection fails the query. Without a listener its error would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<Login>(LOOK)
    if (rows[0] === undefined) throw new Error('no answer')
    return rows[0]
  } catch (error) {
    throw new BadSettings([`${setting}: the database cannot be reached as this user`], { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns why the login is not one that can take `role` and no other role; null when it is. */
export function loginProblem(login: Login, role: string): string | null {
  const { name, database, others } = login
  if (!login.hasTables) return `the database ${database} is not the one of DATABASE_URL`
  if (login.isAbove) {
    return `${name} is a superuser, bypasses row security, makes roles or owns tables: use a plain login`
  }
  if (!others.includes(role)) return `${name} cannot become ${role}: GRANT ${role} TO ${name}`
  const more = others.filter((other) => other !== role)
  if (more.length > 0) return `${name} can also become ${more.join(', ')}: REVOKE ${more.join(', ')} FROM ${name}`
  return null
}
