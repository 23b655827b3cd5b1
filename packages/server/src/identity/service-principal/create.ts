/** Create a service principal; its secret is shown once. */
import { randomBytes } from 'node:crypto'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { actingUser } from '../actor.js'
import { organizationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import {
  checkReach,
  checkScopes,
  EXPIRES_IN_DEFAULT,
  ExpiresIn,
  freshSecret,
  holderOf,
  nameKeyOf,
  ofHolder,
  PrincipalName,
  type PrincipalRow,
  principalRecord,
  Scopes,
} from './record.js'
import { ACROSS, nameTaken, onOrganization, WithSecret } from './routes.js'

const PRINCIPALS_MAX = 100

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
    const validForMs = (body.expiresIn ?? EXPIRES_IN_DEFAULT) * 1000
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
      expiresAtMs: nowMs + validForMs,
      validForMs,
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
