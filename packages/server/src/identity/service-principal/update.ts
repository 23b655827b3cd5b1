/** Change, disable or enable a service principal. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { confirmIdentity } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import {
  checkReach,
  checkScopes,
  findPrincipal,
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
import { ACROSS, nameTaken, onPrincipal } from './routes.js'

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
    // A wider principal outlives a stolen session that widens it, as a new principal would.
    // guard: a-confirmation-of-identity-for-a-principal-that-grows
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
    // The step-up confirmed the added rights relative to that revision.
    if (prepared !== null && prepared.confirmedRevision !== row.revision) {
      throw new Refusal('CONFLICT', 'the service principal was changed in the meantime: try again')
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
    // Disabling only removes rights, so every manager of principals may do it; any other change grants.
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
