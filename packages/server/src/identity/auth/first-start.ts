/**
 * What a server needs before the first sign-in: the system organization with its Roles, and the administrator that the
 * settings name. Runs at every start; replicas that start together create each only once.
 */
import { eq } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Tx } from '../../runtime/store/db.js'
import { findOrganization } from '../account/row.js'
import { passwordIssues } from '../credential/password-policy.js'
import { foldKey, insertUser } from '../new-user.js'
import { insertOrganization } from '../organization/insert.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { giveSuperAdmin } from './bootstrap.js'

export interface FirstStart {
  /** True when this start created the administrator of the settings. */
  readonly madeAdministrator: boolean
}

/** @throws Error naming the setting, for an `ADMIN_PASSWORD` that is weak or a well-known default. */
export async function prepareFirstStart(runtime: Runtime): Promise<FirstStart> {
  const { store, settings } = runtime
  const email = settings.ADMIN_IDENTIFIER
  const password = settings.ADMIN_PASSWORD
  const isWanted = email !== null && password !== null && !(await isTaken(runtime, email))
  if (isWanted) refuseWeak(runtime, email, password)
  const passwordHash = isWanted ? await identityOf({ runtime }).passwords.hash(password) : null
  try {
    return await store.system.write(async (tx) => {
      await ensureSystemOrganization(tx, runtime)
      if (email === null || passwordHash === null) return { madeAdministrator: false }
      await makeAdministrator(tx, runtime, email, passwordHash)
      return { madeAdministrator: true }
    })
  } catch (error) {
    // Another replica that started at the same moment was first.
    if (brokenUniqueConstraint(error) !== null || (await isReady(runtime, email))) return { madeAdministrator: false }
    throw error
  }
}

async function ensureSystemOrganization(tx: Tx, runtime: Runtime): Promise<void> {
  if ((await findOrganization(tx, SYSTEM_ORG_ID)) !== null) return
  await insertOrganization(tx, runtime, {
    id: SYSTEM_ORG_ID,
    name: 'System',
    slug: 'system',
    isSystem: true,
    ownerId: null,
  })
}

async function makeAdministrator(tx: Tx, runtime: Runtime, email: string, passwordHash: string): Promise<void> {
  const { users } = identityTables(tx)
  // The operator's own setting vouches for the address.
  const user = await insertUser(tx, runtime, {
    username: await freeUsername(tx, email, runtime.ids.next().slice(-6)),
    email,
    passwordHash,
    isEmailVerified: true,
    mustChangePassword: true,
  })
  await giveSuperAdmin(tx, runtime, user.id)
  await tx.update(users).set({ activeOrgId: SYSTEM_ORG_ID }).where(eq(users.id, user.id))
  const source = outsideRequest(runtime)
  const entry = { orgId: SYSTEM_ORG_ID, targetType: 'user', targetId: user.id, details: { reason: 'ADMIN_IDENTIFIER' } }
  await writeEvidence(tx, source, 'admin.user.create', entry)
  await writeEvidence(tx, source, 'admin.superadmin.grant', entry)
}

async function freeUsername(tx: Tx, email: string, suffix: string): Promise<string> {
  const { users } = identityTables(tx)
  const local = (email.split('@')[0] ?? '').replaceAll(/[^A-Za-z0-9._-]/g, '').replace(/^[._-]+/, '')
  const wanted = local.length < 2 ? 'administrator' : local.slice(0, 50)
  const [taken] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.usernameKey, foldKey(wanted)))
  return taken === undefined ? wanted : `${wanted}-${suffix}`
}

const isTaken = ({ store }: Runtime, email: string): Promise<boolean> =>
  store.system.read(async (db) => {
    const { users } = identityTables(db)
    return (
      (
        await db
          .select({ id: users.id })
          .from(users)
          .where(eq(users.emailKey, foldKey(email)))
      ).length > 0
    )
  })

async function isReady(runtime: Runtime, email: string | null): Promise<boolean> {
  const hasSystem = await runtime.store.system.read(async (db) => (await findOrganization(db, SYSTEM_ORG_ID)) !== null)
  return hasSystem && (email === null || (await isTaken(runtime, email)))
}

/** Default passwords that documents and examples use. */
const DEFAULT =
  /^(admin|password|passw0rd|changeme|secret|plumbline|default|letmein|welcome)(?:[-_!@#.]+(?:\d+[-_!@#.]*)?|\d+[-_!@#.]*)?$/i

function refuseWeak({ settings }: Runtime, email: string, password: string): void {
  if (settings.NODE_ENV !== 'production') return
  const issues = passwordIssues(password, { username: 'admin', email }, 12, 'ADMIN_PASSWORD')
  const [first] = issues
  if (first !== undefined) throw new BadSettings([`ADMIN_PASSWORD ${first.message}`])
  if (DEFAULT.test(password)) throw new BadSettings(['ADMIN_PASSWORD is a default: set one of your own'])
}
