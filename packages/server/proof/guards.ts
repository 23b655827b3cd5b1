/**
 * The lines that keep organizations apart and callers in their place, each with what a careless change would leave in its
 * place. `npm run proof -- server-guards` makes each change in a copy, and the named test must fail there.
 *
 * `find` occurs exactly once in its file; a test holds the list to the sources.
 */
import { AUDIT_GUARDS } from './guards-audit.js'
import { COMPLIANCE_GUARDS } from './guards-compliance.js'
import { MESSAGE_GUARDS } from './guards-messages.js'
import { NOTIFICATION_GUARDS } from './guards-notifications.js'
import { ORGANIZATION_GUARDS } from './guards-organizations.js'
import { PIPELINE_GUARDS } from './guards-pipelines.js'
import { PLUGIN_GUARDS } from './guards-plugins.js'
import { QUOTA_GUARDS } from './guards-quota.js'
import { VERDICT_GUARDS } from './guards-verdicts.js'

export interface Guard {
  readonly name: string
  /** Below `packages/server/src`. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Below `packages/server`; or the isolation run, which looks at all operations, or the run of verdicts. */
  readonly test: string
}

export const ISOLATION = 'isolation'

const guard = (name: string, file: string, find: string, replace: string, test: string): Guard => ({
  name,
  file: `${file}.ts`,
  find,
  replace,
  test: test === ISOLATION ? test : `${test}.test.ts`,
})

/** The organization taken out of one query, where SQLite has no second fence: the isolation run must see each. */
export const TENANT_GUARDS: readonly Guard[] = [
  guard(
    'a role by id',
    'identity/role/record',
    'and(eq(roles.id, roleId), eq(roles.orgId, orgId))',
    'eq(roles.id, roleId)',
    ISOLATION,
  ),
  guard('the list of roles', 'identity/role/list', '      .where(eq(roles.orgId, orgId))\n', '', ISOLATION),
  guard(
    'a membership',
    'identity/member/find',
    'and(eq(memberships.orgId, orgId), eq(memberships.userId, userId))',
    'eq(memberships.userId, userId)',
    'test/proof-matrix',
  ),
  guard('the list of members', 'identity/member/record', '    eq(memberships.orgId, org.id),\n', '', ISOLATION),
  guard(
    'the list of secrets',
    'identity/secret/manage',
    '      .where(eq(orgSecrets.orgId, tenantId(context)))\n',
    '',
    ISOLATION,
  ),
  guard(
    'a secret by name',
    'identity/secret/manage',
    'and(eq(orgSecrets.orgId, orgId), eq(orgSecrets.name, name))',
    'eq(orgSecrets.name, name)',
    ISOLATION,
  ),
  guard(
    'service principals of a holder',
    'identity/service-principal/record',
    'holder === null ? isNull(orgId) : eq(orgId, holder)',
    'holder === null ? isNull(orgId) : eq(orgId, orgId)',
    ISOLATION,
  ),
  guard(
    'the list of invitations',
    'identity/invitation/manage',
    '      eq(table.orgId, tenantId(context)),\n',
    '',
    ISOLATION,
  ),
  guard(
    'an invitation by id',
    'identity/invitation/record',
    'and(eq(invitations.id, id), eq(invitations.orgId, orgId))',
    'eq(invitations.id, id)',
    ISOLATION,
  ),
  guard(
    'the teams of a root',
    'identity/team/list',
    'and(eq(organizations.parentOrgId, rootOrgId), isNull(organizations.deletedAtMs))',
    'isNull(organizations.deletedAtMs)',
    ISOLATION,
  ),
  guard(
    'the sealed events of an organization',
    'audit/event/list',
    'isSystemAdmin ? null : tenantId(context)',
    'null',
    ISOLATION,
  ),
  guard(
    'the chain that a query names',
    'audit/chain/requested-chain',
    'orgId !== undefined && orgId !== own',
    'false',
    'src/audit/operations',
  ),
  guard(
    'rows in an export',
    'runtime/records/export',
    'and(eq(table.orgId, orgId), gt(table.id, after))',
    'gt(table.id, after)',
    ISOLATION,
  ),
  guard(
    'members in an export',
    'identity/registration',
    'and(eq(memberships.orgId, orgId), gt(memberships.id, after))',
    'gt(memberships.id, after)',
    ISOLATION,
  ),
  guard(
    'the roles that are given to a member',
    'identity/role/ceiling',
    'and(eq(roles.orgId, orgId), inArray(roles.id, wanted))',
    'inArray(roles.id, wanted)',
    'src/identity/grants',
  ),
  guard(
    'the bound organization of a personal token',
    'identity/authority',
    'if (principal.boundOrgId !== null && principal.boundOrgId !== orgId) return null',
    '',
    'src/identity/grants',
  ),
  guard(
    'the bound organization of a service',
    'identity/authority',
    'return isBound ? {',
    'return isBound || true ? {',
    'src/identity/authority',
  ),
  guard(
    'standing in the organization',
    'identity/standing',
    'if (!isMember && !isSuperAdmin) return null',
    '',
    ISOLATION,
  ),
]

const CONDITIONS = 'src/runtime/http/mount'
const DOORS = 'src/runtime/operation/authorize'
const LAWS = 'test/operation-laws'
const TOKENS = 'src/identity/token/tokens'

/** Signatures, ceilings, owners, limits, lockouts and confirmations. */
export const ACCESS_GUARDS: readonly Guard[] = [
  guard(
    'a body whose text may spell a NUL is looked through',
    'runtime/http/body',
    "const hasEscapes = text.includes('\\\\u')",
    'const hasEscapes = false',
    LAWS,
  ),
  guard(
    'few of many mistakes are put together',
    'runtime/operation/schema',
    '(validate.errors ?? []).slice(0, ERRORS_MAX)',
    'validate.errors ?? []',
    'src/runtime/operation/problems',
  ),
  guard(
    'a caller without a door is refused',
    'runtime/operation/authorize',
    'if (!access.doors.some((door) => opens(door, principal, authority))) throw refusalOf(access.doors, principal)',
    '',
    DOORS,
  ),
  guard(
    'a caller without a credential is refused',
    'runtime/operation/authorize',
    "if (principal.kind === 'anonymous') {",
    'if (false) {',
    DOORS,
  ),
  guard(
    'a session that may only read',
    'runtime/operation/authorize',
    "isChange && principal.kind === 'user' && principal.readOnly",
    'false',
    DOORS,
  ),
  guard(
    'features of the plan',
    'runtime/operation/authorize',
    'if (!authority.org?.features.has(feature)) {',
    'if (false) {',
    DOORS,
  ),
  guard(
    'all of several permissions',
    'runtime/operation/authorize',
    "door.mode === 'all' ? door.permissions.every(has) : door.permissions.some(has)",
    'door.permissions.some(has)',
    DOORS,
  ),
  guard(
    'a service is no person',
    'runtime/operation/authorize',
    "return principal.kind === 'service' && authority.scopes.has(door.scope)",
    "return principal.kind === 'service'",
    DOORS,
  ),
  guard(
    'the owner alone',
    'runtime/operation/authorize',
    "return principal.kind === 'user' && authority.role === 'owner'",
    "return principal.kind === 'user'",
    DOORS,
  ),
  guard(
    'the system administrator alone',
    'runtime/operation/authorize',
    "return principal.kind === 'user' && authority.isSuperAdmin\n",
    "return principal.kind === 'user'\n",
    DOORS,
  ),
  guard(
    'a confirmation is asked for',
    'runtime/http/answer',
    "access.stepUp === false || (access.stepUp === 'except-services' && principal.kind === 'service')",
    'true',
    'src/identity/step-up/step-up',
  ),
  guard(
    'a confirmation belongs to its session',
    'identity/step-up/confirm',
    'claims.sub === principal.userId && claims.sid === principal.sessionId',
    'true',
    'src/identity/step-up/step-up',
  ),
  guard(
    'a confirmation of one action',
    'identity/step-up/confirm',
    'claims.action !== undefined && claims.action !== operationName',
    'false',
    'src/identity/step-up/step-up',
  ),
  guard(
    'a confirmation is used once',
    'identity/step-up/confirm',
    'if (!isFirst)',
    'if (false)',
    'src/identity/step-up/step-up',
  ),
  guard(
    'the algorithm of a token',
    'identity/token/tokens',
    // jose is told, too: either of the two is enough.
    'header.alg !== keys.alg || key === null) throw invalidToken()\n    try {\n      const { payload } = await jwtVerify(token, await key, {\n        algorithms: [keys.alg],\n',
    'key === null) throw invalidToken()\n    try {\n      const { payload } = await jwtVerify(token, await key, {\n',
    TOKENS,
  ),
  guard('the audience of a token', 'identity/token/tokens', '        audience: AUDIENCES[purpose],\n', '', TOKENS),
  guard(
    'the issuer of a token',
    'identity/token/tokens',
    '        issuer,\n        audience',
    '        audience',
    TOKENS,
  ),
  guard(
    'one audience, and sound times',
    'identity/token/tokens',
    "typeof aud !== 'string' || !(iat <= nowSeconds() + CLOCK_SKEW_SECONDS) || !(exp > iat)",
    'false',
    TOKENS,
  ),
  guard(
    'the kind of a token',
    'identity/token/tokens',
    "if (verified.typ !== 'access') throw invalidToken()",
    '',
    TOKENS,
  ),
  guard(
    'the end of a remembered token',
    'identity/token/tokens',
    'nowSeconds() < found.exp + CLOCK_SKEW_SECONDS',
    'found !== null',
    TOKENS,
  ),
  guard(
    'the exact header of a token',
    'identity/token/tokens',
    "Object.keys(header).some((name) => !HEADER_KEYS.includes(name)) || typ !== 'JWT'",
    'false',
    TOKENS,
  ),
  guard(
    'the canonical signature',
    'identity/token/tokens',
    "if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) throw invalidToken()",
    '',
    TOKENS,
  ),
  guard(
    'the version of the account',
    'identity/authenticator',
    '!account?.isActive || account.tokenVersion !== tokenVersion',
    '!account?.isActive',
    TOKENS,
  ),
  guard(
    'the end of the session behind a token',
    'identity/authenticator',
    'session.revokedAtMs === null &&\n    session.expiresAtMs > runtime.clock.now() &&',
    '',
    'src/identity/session/rotate',
  ),
  guard(
    'whose session is behind a token',
    'identity/authenticator',
    'session.userId === userId',
    'userId !== ""',
    TOKENS,
  ),
  guard(
    'a revoked personal token',
    'identity/authenticator',
    'if (record.revokedAtMs !== null) throw revoked()',
    '',
    'src/identity/pat/pat',
  ),
  guard(
    'an expired personal token',
    'identity/authenticator',
    "if (record.expiresAtMs <= runtime.clock.now()) throw bad('TOKEN_EXPIRED', 'the personal access token has expired')",
    '',
    'src/identity/pat/pat',
  ),
  guard(
    'the ceiling of a personal token',
    'identity/pat/create',
    'if (exceeds.length > 0) {',
    'if (false) {',
    'src/identity/pat/pat',
  ),
  guard(
    'only your own personal tokens end',
    'identity/pat/delete',
    'eq(table.id, path.id), eq(table.userId, userId)',
    'eq(table.id, path.id)',
    'src/identity/pat/pat',
  ),
  guard(
    'no password change without a sign-in',
    'identity/authenticator',
    "principal.kind !== 'user' || principal.sessionId === null",
    "principal.kind !== 'user'",
    'src/identity/pat/pat',
  ),
  guard(
    'the lockout after failed sign-ins',
    'identity/credential/lockout',
    'row === undefined || row.until <= nowMs',
    'true',
    'src/identity/auth/login',
  ),
  guard(
    'the end of a session that is refreshed',
    'identity/session/rotate',
    'if (sessionEndMs(runtime, live) <= nowMs) {',
    'if (false) {',
    'src/identity/session/rotate',
  ),
  guard(
    'a refresh token that was used again ends its session',
    'identity/session/rotate',
    '.set({ revokedAtMs: nowMs, successor: null })',
    '.set({ successor: null })',
    'src/identity/session/rotate',
  ),
  guard(
    'the ceiling of assignable permissions',
    'identity/role/ceiling',
    'if (kept.length > 0) {',
    'if (false) {',
    'src/identity/member/people',
  ),
  guard(
    'the last administrator',
    'identity/member/privilege',
    '(await otherActiveHolders(db, orgId, roleId, userId)) === 0',
    'false',
    'test/organization-races',
  ),
  guard(
    'the secret of a service',
    'identity/auth/client-credentials',
    '(isPresent || isPrevious) && ',
    '',
    'src/identity/auth/client-credentials',
  ),
  guard(
    'a disabled service',
    'identity/auth/client-credentials',
    'record.disabledAtMs === null && ',
    '',
    'src/identity/auth/client-credentials',
  ),
  guard(
    'a bootstrap address is verified first',
    'identity/auth/bootstrap',
    '!isListed || user.emailVerifiedAtMs === null || ',
    '!isListed || ',
    'src/identity/me/account',
  ),
  guard(
    'the limit of a bucket',
    'runtime/http/rate-limit',
    'if (window.used >= max) return',
    'if (false) return',
    'src/runtime/http/rate-limit',
  ),
  guard(
    'the size of a body',
    'runtime/http/body',
    '      await reader?.cancel()\n      throw tooLarge(bytesMax)\n',
    '',
    CONDITIONS,
  ),
  guard(
    'the key `__proto__` in a body',
    'runtime/http/body',
    "if (key === '__proto__') throw",
    'if (false) throw',
    CONDITIONS,
  ),
]

export const guards: readonly Guard[] = [
  ...TENANT_GUARDS,
  ...ACCESS_GUARDS,
  ...ORGANIZATION_GUARDS,
  ...AUDIT_GUARDS,
  ...COMPLIANCE_GUARDS,
  ...VERDICT_GUARDS,
  ...MESSAGE_GUARDS,
  ...NOTIFICATION_GUARDS,
  ...QUOTA_GUARDS,
  ...PIPELINE_GUARDS,
  ...PLUGIN_GUARDS,
]
