/** Service principals: list, create, change, rotate, delete. The secret is shown once and stored as its hash. */
import { randomBytes } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUp, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { confirmIdentity } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import {
  checkReach,
  checkScopes,
  EXPIRES_IN_DEFAULT,
  ExpiresIn,
  findPrincipal,
  freshSecret,
  holderOf,
  nameKeyOf,
  ofHolder,
  PrincipalName,
  type PrincipalRow,
  principalRecord,
  Scopes,
  SERVER_OWNED,
  ServicePrincipalRecord,
} from './record.js'

const PRINCIPALS_MAX = 100
const OLD_SECRET_MS = 86_400_000
const ACROSS = 'the principals of the system belong to no organization'

const onOrganization = Type.Object({ id: Type.String() })
const onPrincipal = Type.Object({ id: Type.String(), pid: Type.String() })
const WithSecret = strictObject({
  servicePrincipal: ServicePrincipalRecord,
  clientSecret: Type.String({ description: 'Shown once' }),
})

const nameTaken = (cause?: unknown): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'there is a service principal of this name', { details: { field: 'name' }, cause })

export const listServicePrincipals = query({
  name: 'identity.service-principal.list',
  summary: 'List the service principals of an organization',
  http: { method: 'get', ...organizationPath('/:id/service-principals') },
  access: permission('org:settings'),
  tenant: fromPath('id'),
  acrossOrganizations: ACROSS,
  input: { path: onOrganization },
  output: strictObject({ servicePrincipals: Type.Array(ServicePrincipalRecord) }),
  errors: ['INSUFFICIENT_PERMISSIONS'],
  async run({ db, authority }) {
    const { servicePrincipals } = identityTables(db)
    const rows = await db
      .select()
      .from(servicePrincipals)
      .where(ofHolder(db, holderOf(authority)))
      .orderBy(asc(servicePrincipals.nameKey))
    return { servicePrincipals: rows.map(principalRecord) }
  },
})

export const createServicePrincipal = command({
  name: 'identity.service-principal.create',
  summary: 'Create a service principal; its secret is shown once',
  http: { method: 'post', ...organizationPath('/:id/service-principals'), status: 201 },
  access: withStepUp(permission('org:settings')),
  tenant: fromPath('id'),
  acrossOrganizations: ACROSS,
  audit: ['org.service-principal.create'],
  idempotent: true,
  secretOutput: true,
  input: {
    path: onOrganization,
    body: strictObject({
      name: PrincipalName,
      scopes: Scopes,
      includeTeams: Type.Optional(Type.Boolean()),
      expiresIn: Type.Optional(ExpiresIn),
    }),
  },
  output: WithSecret,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, authority, runtime, nowMs } = context
    const holder = holderOf(authority)
    checkScopes(authority, holder, body.scopes)
    checkReach(authority, body.includeTeams ?? false)
    const { servicePrincipals } = identityTables(tx)
    if (holder !== null) await lockRow(tx, 'organizations', holder)
    const count = await tx.$count(servicePrincipals, ofHolder(tx, holder))
    if (count >= PRINCIPALS_MAX)
      throw new Refusal('CONFLICT', `there are ${count} service principals: delete some first`)
    const { secret, secretHash, secretHint } = freshSecret()
    const row: PrincipalRow = {
      id: runtime.ids.next(),
      orgId: holder,
      name: body.name,
      nameKey: nameKeyOf(holder, body.name),
      clientId: `plc_${randomBytes(12).toString('hex')}`,
      secretHash,
      secretHint,
      previousSecretHash: null,
      previousUntilMs: null,
      scopes: [...body.scopes].sort(),
      includeTeams: body.includeTeams ?? false,
      expiresAtMs: nowMs + (body.expiresIn ?? EXPIRES_IN_DEFAULT) * 1000,
      lastUsedAtMs: null,
      disabledAtMs: null,
      createdBy: actingUser(context),
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    if (!(await insertNew(tx, servicePrincipals, row))) throw nameTaken()
    await context.audit('org.service-principal.create', {
      targetType: 'service-principal',
      targetId: row.id,
      details: { name: row.name, scopes: row.scopes, includeTeams: row.includeTeams },
    })
    return changed({ servicePrincipal: principalRecord(row), clientSecret: secret })
  },
})

export const updateServicePrincipal = command({
  name: 'identity.service-principal.update',
  summary: 'Change, disable or enable a service principal',
  http: { method: 'patch', ...organizationPath('/:id/service-principals/:pid') },
  access: withStepUpWhen('`scopes` or `includeTeams` grow', permission('org:settings')),
  tenant: fromPath('id'),
  acrossOrganizations: ACROSS,
  audit: ['org.service-principal.update'],
  serverOwned: SERVER_OWNED,
  input: {
    path: onPrincipal,
    body: strictObject(
      {
        name: Type.Optional(PrincipalName),
        scopes: Type.Optional(Scopes),
        includeTeams: Type.Optional(Type.Boolean()),
        disabled: Type.Optional(Type.Boolean()),
      },
      { minProperties: 1 },
    ),
  },
  output: strictObject({ servicePrincipal: ServicePrincipalRecord }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async prepare(context, { path: { pid }, body }) {
    if (body.scopes === undefined && body.includeTeams !== true) return null
    const row = await context.read((db) => findPrincipal(db, holderOf(context.authority), pid))
    const grows = body.scopes?.some((name) => !row.scopes.includes(name)) || (body.includeTeams && !row.includeTeams)
    // What a stolen session widens would outlive it, as a new principal would.
    if (grows) await confirmIdentity(context, 'identity.service-principal.update')
    return { confirmedRevision: row.revision }
  },
  async run(context, { path: { pid }, body }, prepared) {
    const { tx, authority, nowMs } = context
    const holder = holderOf(authority)
    const named = await findPrincipal(tx, holder, pid)
    await lockRow(tx, 'service_principals', named.id)
    const row = await findPrincipal(tx, holder, pid)
    context.checkRevision(row.revision)
    // What was confirmed was the growth from that revision.
    if (prepared !== null && prepared.confirmedRevision !== row.revision) {
      throw new Refusal('CONFLICT', 'the service principal was changed meanwhile: try again')
    }
    context.checkServerOwned(principalRecord(row))
    const next: PrincipalRow = {
      ...row,
      name: body.name ?? row.name,
      nameKey: nameKeyOf(holder, body.name ?? row.name),
      scopes: body.scopes === undefined ? row.scopes : [...body.scopes].sort(),
      includeTeams: body.includeTeams ?? row.includeTeams,
      disabledAtMs: body.disabled === undefined ? row.disabledAtMs : body.disabled ? (row.disabledAtMs ?? nowMs) : null,
    }
    const fields = (['name', 'scopes', 'includeTeams', 'disabledAtMs'] as const).filter(
      (name) => JSON.stringify(next[name]) !== JSON.stringify(row[name]),
    )
    if (fields.length === 0) return unchanged({ servicePrincipal: principalRecord(row) })
    // Disabling takes something away and is open to everybody who may manage them; all else grants.
    if (fields.some((name) => name !== 'disabledAtMs') || next.disabledAtMs === null) {
      checkScopes(authority, holder, next.scopes)
      checkReach(authority, next.includeTeams)
    }
    Object.assign(next, { revision: row.revision + 1, updatedAtMs: nowMs })
    const { servicePrincipals } = identityTables(tx)
    try {
      await tx
        .update(servicePrincipals)
        .set(next)
        .where(and(eq(servicePrincipals.id, row.id), ofHolder(tx, holder)))
    } catch (error) {
      if (brokenUniqueConstraint(error) === null) throw error
      throw nameTaken(error)
    }
    dropStale(context, { clientId: row.clientId })
    await context.audit('org.service-principal.update', {
      targetType: 'service-principal',
      targetId: row.id,
      details: {
        name: next.name,
        changed: fields.map((name) => (name === 'disabledAtMs' ? 'disabled' : name)),
        scopes: next.scopes,
      },
    })
    return changed({ servicePrincipal: principalRecord(next) })
  },
})

/** `POST …/:pid/rotate`: a new secret; the one before it is good for another 24 h, the one before that no more. */
export const rotateServicePrincipal = command({
  name: 'identity.service-principal.rotate',
  summary: 'Give a service principal a new secret, shown once',
  http: { method: 'post', ...organizationPath('/:id/service-principals/:pid/rotate') },
  access: withStepUp(permission('org:settings')),
  tenant: fromPath('id'),
  acrossOrganizations: ACROSS,
  audit: ['org.service-principal.rotate'],
  secretOutput: true,
  input: { path: onPrincipal, query: Type.Object({ expiresIn: Type.Optional(ExpiresIn) }) },
  output: WithSecret,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { pid }, query: { expiresIn } }) {
    const { tx, authority, nowMs } = context
    const holder = holderOf(authority)
    const named = await findPrincipal(tx, holder, pid)
    await lockRow(tx, 'service_principals', named.id)
    const row = await findPrincipal(tx, holder, pid)
    // Whoever gets the secret can do what the principal can.
    checkScopes(authority, holder, row.scopes)
    checkReach(authority, row.includeTeams)
    const { secret, secretHash, secretHint } = freshSecret()
    const next: PrincipalRow = {
      ...row,
      secretHash,
      secretHint,
      previousSecretHash: row.secretHash,
      previousUntilMs: Math.min(nowMs + OLD_SECRET_MS, row.expiresAtMs),
      expiresAtMs: nowMs + (expiresIn ?? EXPIRES_IN_DEFAULT) * 1000,
      revision: row.revision + 1,
      updatedAtMs: nowMs,
    }
    const { servicePrincipals } = identityTables(tx)
    await tx
      .update(servicePrincipals)
      .set(next)
      .where(and(eq(servicePrincipals.id, row.id), ofHolder(tx, holder)))
    dropStale(context, { clientId: row.clientId })
    await context.audit('org.service-principal.rotate', {
      targetType: 'service-principal',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed({ servicePrincipal: principalRecord(next), clientSecret: secret })
  },
})

export const deleteServicePrincipal = command({
  name: 'identity.service-principal.delete',
  summary: 'Delete a service principal',
  http: { method: 'delete', ...organizationPath('/:id/service-principals/:pid'), status: 204 },
  access: permission('org:settings'),
  tenant: fromPath('id'),
  acrossOrganizations: ACROSS,
  audit: ['org.service-principal.delete'],
  input: { path: onPrincipal },
  output: null,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { pid } }) {
    const { tx, authority } = context
    const holder = holderOf(authority)
    const row = await findPrincipal(tx, holder, pid)
    context.checkRevision(row.revision)
    const { servicePrincipals } = identityTables(tx)
    await tx.delete(servicePrincipals).where(and(eq(servicePrincipals.id, row.id), ofHolder(tx, holder)))
    dropStale(context, { clientId: row.clientId })
    await context.audit('org.service-principal.delete', {
      targetType: 'service-principal',
      targetId: row.id,
      details: { name: row.name },
    })
    return changed(null)
  },
})
