/**
 * Operations with a stand-in for the identity domain: credentials are plain texts, so that the HTTP layer is tested
 * alone.
 */
import type { Hono } from 'hono'
import { heldClock } from '../../src/runtime/clock.js'
import { notFound, Refusal } from '../../src/runtime/errors.js'
import type { Authenticator } from '../../src/runtime/http/authenticator.js'
import { createHttp } from '../../src/runtime/http/mount.js'
import type { HttpSetup } from '../../src/runtime/http/options.js'
import { createIds } from '../../src/runtime/ids.js'
import type { Feature, Permission, Scope } from '../../src/runtime/operation/access.js'
import type { Limiter } from '../../src/runtime/operation/buckets.js'
import type { Authority, OrgSummary, Principal, Runtime } from '../../src/runtime/operation/context.js'
import type { Operation } from '../../src/runtime/operation/operation.js'
import type { Store } from '../../src/runtime/store/db.js'
import { testSettings } from './settings.js'

export const ORG_A = '11111111-1111-7111-8111-111111111111'
export const ORG_B = '22222222-2222-7222-8222-222222222222'

const org = (id: string, slug: string): OrgSummary => ({
  id,
  name: slug,
  slug,
  parentOrgId: null,
  rootOrgId: id,
  isSystem: false,
  tier: 'team',
  features: new Set<Feature>(['audit_log']),
  ownerId: null,
  memberWriteScope: 'org',
})
const ORGS = [org(ORG_A, 'a'), org(ORG_B, 'b')]

const user = (userId: string, readOnly = false): Extract<Principal, { kind: 'user' }> => ({
  kind: 'user',
  userId,
  sessionId: `session of ${userId}`,
  tokenId: null,
  boundOrgId: null,
  permissions: null,
  impersonatorId: null,
  readOnly,
  activeOrgId: ORG_A,
})

const service: Principal = {
  kind: 'service',
  clientId: 'collector',
  scopes: ['reporting:ingest'],
  boundOrgId: ORG_A,
  includeTeams: false,
}

/** Every token that the stand-in accepts. All people are members of organization A. */
export const TOKENS: Readonly<Record<string, Principal>> = {
  ann: user('ann'),
  annOfAnotherSession: { ...user('ann'), sessionId: 'another' },
  annByToken: { ...user('ann'), sessionId: null, tokenId: 'token', permissions: ['pipelines:write'] },
  annImpersonated: { ...user('ann'), impersonatorId: 'root' },
  bob: user('bob'),
  reader: user('reader', true),
  root: user('root'),
  service,
}

const PERMISSIONS_OF: Readonly<Record<string, readonly Permission[]>> = { ann: ['pipelines:read', 'pipelines:write'] }

export function standInAuthenticator(usedStepUp = new Set<string>()): Authenticator {
  return {
    async authenticate(headers) {
      const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
      if (token === undefined) return { kind: 'anonymous' }
      const principal = TOKENS[token]
      if (principal === undefined) throw new Refusal('TOKEN_INVALID', 'the token is not valid')
      return principal
    },
    async authority(principal, source, wanted, header): Promise<Authority> {
      const nobody = { role: null, isMember: false, isSuperAdmin: false, permissions: new Set<never>() }
      const scopes = new Set<Scope>(principal.kind === 'service' ? principal.scopes : [])
      if (principal.kind === 'anonymous') return { ...nobody, org: null, scopes }
      const find = (text: string) => ORGS.find(({ id, slug }) => id === text || slug === text.trim().toLowerCase())
      const isRoot = principal.kind === 'user' && principal.userId === 'root'
      const may = (id: string | undefined) => id === ORG_A || (id === ORG_B && isRoot)
      if (header !== null && header !== undefined && !may(find(header)?.id)) {
        throw new Refusal('ORG_MISMATCH', 'the organization in `x-org-id` is not one of yours')
      }
      if (source === 'path' && !may(find(wanted ?? '')?.id)) throw notFound('Organization')
      const chosen = source === 'none' ? null : (find(wanted ?? ORG_A) ?? null)
      if (principal.kind === 'service') return { ...nobody, org: chosen, scopes }
      return {
        org: chosen,
        role: 'member',
        isMember: true,
        isSuperAdmin: isRoot,
        permissions: new Set(PERMISSIONS_OF[principal.userId] ?? []),
        scopes,
      }
    },
    async actor(principal) {
      const id =
        principal.kind === 'user'
          ? principal.userId
          : principal.kind === 'service'
            ? `service:${principal.clientId}`
            : 'anonymous'
      return { id, email: null, role: null, impersonatorId: null }
    },
    async stepUp(_principal, token) {
      if (token === null) throw new Refusal('STEP_UP_REQUIRED', 'confirm who you are')
      if (usedStepUp.has(token)) throw new Refusal('STEP_UP_REPLAY', 'the step-up token was used')
      usedStepUp.add(token)
    },
  }
}

export interface Floor {
  readonly app: Hono
  readonly runtime: Runtime
  readonly clock: ReturnType<typeof heldClock>
  /** Errors that were not refusals. */
  readonly errors: unknown[]
  /** Sends a request with a token of `TOKENS` (null: without a token) and a JSON body. */
  call(method: string, path: string, more?: CallOptions): Promise<Response>
}

export interface CallOptions {
  readonly as?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly ip?: string
}

export function floor(
  store: Store,
  operations: readonly Operation[],
  more: Partial<HttpSetup> & { limiter?: Limiter } = {},
): Floor {
  const clock = heldClock(Date.parse('2026-11-21T10:00:00.000Z'))
  const errors: unknown[] = []
  const { limiter, ...setup } = more
  const runtime: Runtime = {
    clock,
    ids: createIds(clock),
    store,
    settings: testSettings(),
    domains: [],
    ...(limiter === undefined ? {} : { limiter }),
  }
  const app = createHttp({
    runtime,
    operations,
    authenticator: standInAuthenticator(),
    basePath: '/api',
    onError: (error) => void errors.push(error),
    checkResponses: true,
    ...setup,
  })
  return {
    app,
    runtime,
    clock,
    errors,
    async call(method, path, { as = 'ann', headers = {}, body, ip = '192.0.2.1' } = {}) {
      const all: Record<string, string> = {
        ...(as === null ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }
      const init = { method, headers: all, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      return app.request(`/api${path}`, init, { incoming: { socket: { remoteAddress: ip } } })
    },
  }
}
