/**
 * `POST …/:pid/rotate`: a new secret, valid for as long as the one before was from its beginning. The previous one stays
 * valid for another 24 h; the one before that ends at once.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import {
  checkReach,
  checkScopes,
  ExpiresIn,
  findPrincipal,
  freshSecret,
  holderOf,
  ofHolder,
  type PrincipalRow,
  principalRecord,
} from './record.js'
import { ACROSS, onPrincipal, WithSecret } from './routes.js'

const OLD_SECRET_MS = 86_400_000

export const rotateServicePrincipal = command({
  name: 'identity.service-principal.rotate',
  summary: 'Give a service principal a new secret, shown once',
  description:
    'The previous secret stays valid for 24 h. Without `expiresIn` the new one is valid for as long as the previous one was from its beginning.',
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
    // A person who gets the secret can do what the principal can.
    checkScopes(authority, holder, row.scopes)
    checkReach(authority, row.includeTeams)
    const { secret, secretHash, secretHint } = freshSecret()
    // guard: a-rotated-secret-keeps-its-lifetime
    const validForMs = expiresIn === undefined ? row.validForMs : expiresIn * 1000
    const next: PrincipalRow = {
      ...row,
      secretHash,
      secretHint,
      previousSecretHash: row.secretHash,
      previousUntilMs: Math.min(nowMs + OLD_SECRET_MS, row.expiresAtMs),
      expiresAtMs: nowMs + validForMs,
      validForMs,
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
