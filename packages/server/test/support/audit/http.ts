/** The audit operations behind the real HTTP layer. The token of a request names its caller. */

import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { auditOperations } from '../../../src/audit/operations.js'
import { Refusal } from '../../../src/runtime/errors.js'
import { createHttp } from '../../../src/runtime/http/mount.js'
import type { Authority, Principal, Runtime } from '../../../src/runtime/operation/context.js'

export interface Caller {
  readonly principal: Principal
  /** The organization that the caller administers. */
  readonly orgId?: string
  readonly isSuperAdmin?: boolean
  readonly features?: readonly string[]
  readonly permissions?: readonly string[]
}

export const admin = (orgId: string, more: Partial<Caller> = {}): Caller => ({
  principal: {
    kind: 'user',
    userId: `usr_admin_${orgId}`,
    sessionId: 's',
    tokenId: null,
    boundOrgId: null,
    permissions: null,
    impersonatorId: null,
    readOnly: false,
    activeOrgId: orgId,
  },
  orgId,
  features: ['audit_log'],
  permissions: ['audit:read'],
  ...more,
})

export const service = (boundOrgId: string | null, clientId = 'svc'): Caller => ({
  principal: { kind: 'service', clientId, scopes: ['audit:ingest'], boundOrgId, includeTeams: false },
})

export function auditHttp(runtime: Runtime, callers: Record<string, Caller>) {
  const errors: unknown[] = []
  const app = createHttp({
    runtime,
    operations: auditOperations,
    basePath: '/api',
    checkResponses: true,
    onError: (error) => void errors.push(error),
    authenticator: {
      async authenticate(headers) {
        const token = headers.get('authorization')?.slice('Bearer '.length)
        if (token === undefined) return { kind: 'anonymous' }
        const caller = callers[token]
        if (caller === undefined) throw new Refusal('TOKEN_INVALID', 'the credential is not known')
        return caller.principal
      },
      async authority(principal, source) {
        const caller = Object.values(callers).find((each) => each.principal === principal)
        return authorityOf(caller, source === 'none')
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
      stepUp: async () => undefined,
    },
  })
  const request = async (token: string | null, path: string, init: RequestInit = {}) => {
    const response = await app.request(`/api${path}`, {
      ...init,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...(init.headers as object) },
    })
    const text = await response.text()
    const body = /^application\/json(;|$)/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
    return { status: response.status, headers: response.headers, text, data: body?.data as any, body: body as any }
  }
  const post = (token: string | null, path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(token, path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  /** The same operations on a socket, for real HTTP clients. */
  const listen = () =>
    new Promise<{ url: string; close: () => Promise<void> }>((ready) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (address: AddressInfo) =>
        ready({
          url: `http://127.0.0.1:${address.port}/api`,
          close: () => new Promise((closed) => server.close(() => closed())),
        }),
      )
    })
  return { request, post, errors, listen }
}

function authorityOf(caller: Caller | undefined, isWithoutTenant: boolean): Authority {
  const orgId = isWithoutTenant ? undefined : caller?.orgId
  return {
    org:
      orgId === undefined
        ? null
        : {
            id: orgId,
            name: 'org',
            slug: 'org',
            parentOrgId: null,
            rootOrgId: orgId,
            isSystem: false,
            tier: 'team',
            features: new Set(caller?.features ?? []) as never,
            ownerId: null,
            memberWriteScope: 'org',
          },
    role: orgId === undefined ? null : 'admin',
    isMember: orgId !== undefined,
    isSuperAdmin: caller?.isSuperAdmin ?? false,
    permissions: new Set(caller?.permissions ?? []) as never,
    scopes: new Set(caller?.principal.kind === 'service' ? caller.principal.scopes : []) as never,
  }
}
