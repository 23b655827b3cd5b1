/**
 * A service principal of the system, made on the host: what one process of a split deployment signs in to the others with
 * (spec platform 4.8). Its secret is random and shown once.
 */
import { randomBytes } from 'node:crypto'
import { DAY_MS } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { type Scope, SYSTEM_SCOPES } from '../../runtime/operation/access.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { freshSecret, nameKeyOf } from '../service-principal/record.js'
import { identityTables } from '../tables.js'
import { act, type Host } from './host.js'

const DAYS_MAX = 365

export function createHostServicePrincipal(
  host: Host,
  {
    name,
    scopes,
    days = DAYS_MAX,
  }: { readonly name: string; readonly scopes: readonly string[]; readonly days?: number },
): Promise<{ clientId: string; clientSecret: string; expiresAtMs: number }> {
  const unknown = scopes.filter((scope) => !(SYSTEM_SCOPES as readonly string[]).includes(scope))
  if (scopes.length === 0 || unknown.length > 0) {
    throw new Refusal(
      'VALIDATION_ERROR',
      `${unknown.length > 0 ? `\`${unknown.join(', ')}\` is not a scope of the system` : 'a scope is needed'}: choose among ${SYSTEM_SCOPES.join(', ')}`,
    )
  }
  return act(host, async ({ tx, runtime, nowMs, audit }) => {
    const { servicePrincipals } = identityTables(tx)
    const { secret, secretHash, secretHint } = freshSecret()
    const id = runtime.ids.next()
    const clientId = `plc_${randomBytes(12).toString('hex')}`
    const expiresAtMs = nowMs + days * DAY_MS
    const isNew = await insertNew(tx, servicePrincipals, {
      id,
      orgId: null,
      name,
      nameKey: nameKeyOf(null, name),
      clientId,
      secretHash,
      secretHint,
      previousSecretHash: null,
      previousUntilMs: null,
      scopes: [...new Set(scopes as readonly Scope[])].sort(),
      includeTeams: false,
      expiresAtMs,
      lastUsedAtMs: null,
      disabledAtMs: null,
      createdBy: `host:${host.osUser}`,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
    if (!isNew) throw new Refusal('DUPLICATE_ENTRY', `a service principal \`${name}\` exists already`)
    await audit('org.service-principal.create', {
      targetType: 'service-principal',
      targetId: id,
      details: { name, scopes: [...scopes] },
    })
    return { clientId, clientSecret: secret, expiresAtMs }
  })
}
