/**
 * Mounts operations on Hono: authentication, tenant, access, validation, run, envelope, in this order for every one of
 * them. An operation that is in the list is reachable; a route that is not in the list does not exist.
 */
import { type Context, Hono } from 'hono'
import { invalidField, Refusal } from '../errors.js'
import { authorize, isPublic } from '../operation/authorize.js'
import type { Principal, RequestInfo, Runtime } from '../operation/context.js'
import { type CheckedInput, execute } from '../operation/execute.js'
import type { Operation } from '../operation/operation.js'
import { check } from '../operation/schema.js'
import type { Authenticator } from './authenticator.js'
import { failure, success } from './envelope.js'

export interface HttpOptions {
  readonly runtime: Runtime
  readonly operations: readonly Operation[]
  readonly authenticator: Authenticator
  /** `/api`, or an empty text for the root. */
  readonly basePath: string
  /** Told about every error that is not a refusal. */
  readonly onError: (error: unknown, requestId: string) => void
}

export function createHttp(options: HttpOptions): Hono {
  const app = new Hono()
  // Literal segments before parameters: `/quotas/all` is never taken for `/quotas/:orgId`.
  const ordered = [...options.operations].sort((a, b) => rank(a.http.path).localeCompare(rank(b.http.path)))
  for (const operation of ordered) {
    for (const path of [operation.http.path, ...(operation.http.aliases ?? [])]) {
      app.on(operation.http.method.toUpperCase(), `${options.basePath}${path}`, (c) => answer(operation, c, options))
    }
  }
  app.notFound((c) => failure(new Refusal('NOT_FOUND', 'there is no such path'), requestIdOf(c)))
  return app
}

/** Sorts a literal segment before a parameter at the same place. */
const rank = (path: string): string => path.replaceAll(/:[A-Za-z]+/g, '\u{10ffff}')

const requestIdOf = (c: Context): string => c.res.headers.get('x-request-id') ?? ''

async function answer(operation: Operation, c: Context, options: HttpOptions): Promise<Response> {
  const { runtime, authenticator } = options
  const request: RequestInfo = {
    requestId: runtime.ids.next(),
    traceId: null,
    ip: null,
    userAgent: c.req.header('user-agent') ?? null,
    headers: c.req.raw.headers,
  }
  try {
    const { tenant, access } = operation
    // A stale token beside a request that needs none, such as a refresh, is no reason to refuse it.
    const principal = isPublic(access) ? ANONYMOUS : await authenticator.authenticate(c.req.raw.headers)
    const header = c.req.header('x-org-id') ?? null
    const wanted = tenant.from === 'path' ? (c.req.param(tenant.name) ?? null) : header
    if (principal.kind === 'anonymous' && !isPublic(access)) {
      authorize(access, principal, NOBODY, operation.kind === 'command')
    }
    const authority = await authenticator.authority(principal, tenant.from, wanted, header)
    authorize(access, principal, authority, operation.kind === 'command')
    const input = await readInput(operation, c)
    if (access.stepUp !== false && !(access.stepUp === 'except-services' && principal.kind === 'service')) {
      await authenticator.stepUp(principal, c.req.header('x-step-up-token') ?? null, operation.name)
    }
    const actor = await authenticator.actor(principal, authority)
    const call = { runtime, principal, authority, actor, request, nowMs: runtime.clock.now() }
    return success(operation, await execute(operation, call, input), request.requestId)
  } catch (error) {
    if (!(error instanceof Refusal)) options.onError(error, request.requestId)
    return failure(error, request.requestId)
  }
}

const ANONYMOUS: Principal = { kind: 'anonymous' }

const NOBODY = {
  org: null,
  role: null,
  isMember: false,
  isSuperAdmin: false,
  permissions: new Set<never>(),
  scopes: new Set<never>(),
}

async function readInput(operation: Operation, c: Context): Promise<CheckedInput> {
  const { input } = operation
  const path = c.req.param() as Record<string, unknown>
  const query: Record<string, unknown> = c.req.query()
  let body: unknown
  if (input.body !== undefined) {
    try {
      body = await c.req.json()
    } catch (cause) {
      throw invalidField('/body', `is not JSON: ${cause instanceof Error ? cause.message : 'unreadable'}`, 'json')
    }
    check(input.body, body, '/body')
  }
  if (input.path !== undefined) check(input.path, path, '/path')
  return { path, query, body }
}
