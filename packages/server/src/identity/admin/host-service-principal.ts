/**
 * A service principal of the system, created on the host. A process of a split deployment signs in to the other
 * processes with it (spec platform 4.8). Its secret is random and shown once.
 */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { type Scope, SYSTEM_SCOPES } from '../../runtime/operation/access.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { freshSecret, nameKeyOf } from '../service-principal/record.js'
import { identityTables } from '../tables.js'
import { act, type Host, type HostWrite } from './host.js'

const DAYS_MAX = 365

export interface HostPrincipal {
  readonly name: string
  readonly scopes: readonly string[]
  readonly days?: number
}

export interface MadePrincipal {
  readonly clientId: string
  readonly clientSecret: string
  readonly expiresAtMs: number
}

export function createHostServicePrincipal(host: Host, asked: HostPrincipal): Promise<MadePrincipal> {
  checkScopes(asked)
  return act(host, (write) => create(write, host, asked))
}

/** Creates the principal. If it exists, replaces its secret; the previous secret stops working. */
export function renewHostServicePrincipal(host: Host, asked: HostPrincipal): Promise<MadePrincipal> {
  checkScopes(asked)
  return act(host, async (write) => {
    const { tx, nowMs, audit } = write
    const { servicePrincipals: t } = identityTables(tx)
    const [row] = await tx
      .select()
      .from(t)
      .where(eq(t.nameKey, nameKeyOf(null, asked.name)))
    if (row === undefined) return create(write, host, asked)
    const { secret, secretHash, secretHint } = freshSecret()
    const validForMs = (asked.days ?? DAYS_MAX) * DAY_MS
    const expiresAtMs = nowMs + validForMs
    const scopes = sorted(asked.scopes)
    const previous = { previousSecretHash: null, previousUntilMs: null }
    const next = { secretHash, secretHint, ...previous, expiresAtMs, validForMs, scopes }
    await tx
      .update(t)
      .set({ ...next, revision: row.revision + 1, updatedAtMs: nowMs })
      .where(eq(t.id, row.id))
    await audit('org.service-principal.rotate', {
      targetType: 'service-principal',
      targetId: row.id,
      details: { name: row.name },
    })
    return { clientId: row.clientId, clientSecret: secret, expiresAtMs }
  })
}

const sorted = (scopes: readonly string[]): Scope[] => [...new Set(scopes as readonly Scope[])].sort()

/** @throws Refusal 400 */
function checkScopes({ scopes }: HostPrincipal): void {
  const unknown = scopes.filter((scope) => !(SYSTEM_SCOPES as readonly string[]).includes(scope))
  if (scopes.length > 0 && unknown.length === 0) return
  throw new Refusal(
    'VALIDATION_ERROR',
    `${unknown.length > 0 ? `\`${unknown.join(', ')}\` is not a scope of the system` : 'a scope is needed'}: choose among ${SYSTEM_SCOPES.join(', ')}`,
  )
}

async function create(
  { tx, runtime, nowMs, audit }: HostWrite,
  host: Host,
  { name, scopes, days = DAYS_MAX }: HostPrincipal,
): Promise<MadePrincipal> {
  const { servicePrincipals } = identityTables(tx)
  const { secret, secretHash, secretHint } = freshSecret()
  const id = runtime.ids.next()
  const clientId = `plc_${randomBytes(12).toString('hex')}`
  const validForMs = days * DAY_MS
  const expiresAtMs = nowMs + validForMs
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
    scopes: sorted(scopes),
    includeTeams: false,
    expiresAtMs,
    validForMs,
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
}
