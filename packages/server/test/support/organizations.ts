/** An identity app with every operation of organizations, a system administrator, and step-up confirmations. */
import { eq } from 'drizzle-orm'
import { insertMembership } from '../../src/identity/account/row.js'
import { giveSuperAdmin } from '../../src/identity/auth/bootstrap.js'
import { identityRegistration } from '../../src/identity/registration.js'
import { builtInRoleId } from '../../src/identity/role/built-in.js'
import { identityTables } from '../../src/identity/tables.js'
import { tenantKeyOf } from '../../src/identity/tenant-key.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { createBackground } from '../../src/runtime/background.js'
import type { AnyJob } from '../../src/runtime/jobs/define.js'
import { enqueue } from '../../src/runtime/jobs/enqueue.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { busWakeUps } from '../../src/runtime/jobs/wake-ups.js'
import { silentLog } from '../../src/runtime/log/log.js'
import { createMetrics } from '../../src/runtime/metrics/metrics.js'
import { localBus } from '../../src/runtime/redis/redis.js'
import type { Store } from '../../src/runtime/store/db.js'
import {
  type AppSetup,
  type CallOptions,
  type IdentityApp,
  identityApp,
  PASSWORD,
  type SignedIn,
  signUp,
  verifyAddress,
} from './sign-in.js'

export async function organizationApp(store: Store, setup: AppSetup = {}): Promise<IdentityApp> {
  return identityApp(store, { operations: TENANT_OPERATIONS, domains: [identityRegistration], ...setup })
}

/** Confirms the identity of the person. Returns the header with the token. */
export async function stepUp(app: IdentityApp, as: SignedIn): Promise<Record<string, string>> {
  const answer = await app.call('POST', '/auth/step-up', { as, body: { method: 'password', password: PASSWORD } })
  if (answer.status !== 200) throw new Error(`step-up: ${JSON.stringify(answer.body)}`)
  return { 'x-step-up-token': answer.data.stepUpToken }
}

export async function confirmed(app: IdentityApp, method: string, path: string, more: CallOptions & { as: SignedIn }) {
  return app.call(method, path, { ...more, headers: { ...more.headers, ...(await stepUp(app, more.as)) } })
}

export async function superAdmin(app: IdentityApp, name: string): Promise<SignedIn> {
  const person = await signUp(app, name)
  await verifyAddress(app, person.userId)
  await app.runtime.store.system.write((tx) => giveSuperAdmin(tx, app.runtime, person.userId))
  app.identity.directory.drop({ userId: person.userId })
  return signInAgain(app, person)
}

export async function signInAgain(app: IdentityApp, person: SignedIn): Promise<SignedIn> {
  const answer = await app.call('POST', '/auth/login', { body: { identifier: person.username, password: PASSWORD } })
  if (answer.status !== 200) throw new Error(`sign in: ${JSON.stringify(answer.body)}`)
  return { ...person, accessToken: answer.data.accessToken, refreshToken: answer.data.refreshToken }
}

/** Adds a person to an organization without any check, and signs them in again. */
export async function enrol(
  app: IdentityApp,
  person: SignedIn,
  orgId: string,
  roles: readonly ('Admin' | 'Member')[] = ['Member'],
): Promise<SignedIn> {
  await app.runtime.store.system.write(async (tx) => {
    const roleIds: string[] = []
    for (const name of roles) roleIds.push(await builtInRoleId(tx, orgId, name))
    await insertMembership(tx, app.runtime, { orgId, userId: person.userId, roleIds })
  })
  app.identity.directory.drop({ userId: person.userId })
  return person
}

/** Actions of the audit events of one organization, in the order in which they were written. */
export async function evidenceOf(app: IdentityApp, orgId: string): Promise<string[]> {
  return app.runtime.store.system.read(async (db) => {
    const { auditOutbox } = jobTables(db)
    const rows = await db.select().from(auditOutbox).where(eq(auditOutbox.affectedOrgId, orgId))
    return rows.sort((a, b) => a.position - b.position).map(({ event }) => String(event['action']))
  })
}

/** The same with their details, as a log contains them. */
export async function evidenceRows(app: IdentityApp, orgId: string) {
  return app.runtime.store.system.read(async (db) => {
    const { auditOutbox } = jobTables(db)
    const rows = await db.select().from(auditOutbox).where(eq(auditOutbox.affectedOrgId, orgId))
    return rows
      .sort((a, b) => a.position - b.position)
      .map(({ position, event, details }) => ({
        action: String(event['action']),
        seq: position,
        targetId: event['targetId'] === undefined ? null : String(event['targetId']),
        details,
      }))
  })
}

export async function tokenVersionOf(app: IdentityApp, userId: string): Promise<number> {
  return app.runtime.store.system.read(async (db) => {
    const { users } = identityTables(db)
    const [row] = await db.select({ version: users.tokenVersion }).from(users).where(eq(users.id, userId))
    return row?.version ?? 0
  })
}

/** Runs the due jobs, after queuing one of each kind in `first`. */
export async function runJobs({ runtime }: IdentityApp, jobs: readonly AnyJob[], first: readonly string[] = []) {
  await runtime.store.system.write(async (tx) => {
    for (const kind of first) await enqueue(tx, runtime, { kind, payload: {} })
  })
  const { worker } = createBackground({
    runtime,
    jobs,
    schedules: [],
    services: [],
    wakeUps: busWakeUps(localBus(), runtime.clock),
    metrics: createMetrics(),
    random: () => 0,
    tenantOf: (orgId) => tenantKeyOf(runtime.store, orgId),
    log: silentLog,
  })
  await worker.settle()
}

/** Gives a member a custom Role with these permissions, without any check. @returns the id of the Role. */
export async function giveCustomRole(
  app: IdentityApp,
  orgId: string,
  userId: string,
  permissions: readonly string[],
): Promise<string> {
  const id = app.runtime.ids.next()
  const nowMs = app.clock.now()
  await app.runtime.store.system.write(async (tx) => {
    const { roles, roleAssignments } = identityTables(tx)
    await tx.insert(roles).values({
      id,
      orgId,
      name: `Role ${id}`,
      nameKey: `role ${id}`,
      description: '',
      permissions: [...permissions],
      builtIn: false,
      grantsLevel: 'member',
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
    await tx
      .insert(roleAssignments)
      .values({ id: app.runtime.ids.next(), orgId, roleId: id, userId, source: 'manual', createdAtMs: nowMs })
  })
  app.identity.directory.drop({ userId })
  return id
}
