/**
 * Mounts operations on Hono. Only operations in the list are reachable. A path that exists answers 405 to other
 * methods, and literal segments win over parameters for every method.
 */
import { tmpdir } from 'node:os'
import { type Context, Hono } from 'hono'
import { Refusal } from '../errors.js'
import { LIMIT_MAX } from '../operation/list.js'
import type { Operation } from '../operation/operation.js'
import { answererFactory } from './answer.js'
import { JSON_BYTES_MAX } from './body.js'
import { type Cors, corsOf } from './cors.js'
import { mountDocs } from './docs.js'
import { answerHeaders, commonHeaders, failure, toResponse } from './envelope.js'
import type { HttpOptions, HttpSetup } from './options.js'
import { requestInfo } from './request-info.js'
import { RouteTable } from './route-table.js'
import { sentHeaders } from './sent-headers.js'
import { STREAMS_MAX } from './stream-slots.js'
import { uploadFolder } from './upload-folder.js'

export function createHttp(setup: HttpSetup): Hono {
  const options: HttpOptions = {
    trustedProxyHops: 0,
    behindTls: false,
    corsOrigins: [],
    checkResponses: false,
    bodyBytesMax: JSON_BYTES_MAX,
    streamsMax: STREAMS_MAX,
    pageMax: LIMIT_MAX,
    uploadFolder: uploadFolder(tmpdir()),
    version: '0.0.0',
    ...setup,
  }
  const app = new Hono({ strict: false, router: new RouteTable() })
  const answerer = answererFactory(options)
  const cors = corsOf(options.corsOrigins)
  for (const [path, byMethod] of routesOf(options.operations)) {
    const full = `${options.basePath}${path}`
    for (const [method, operation] of byMethod) {
      const answer = answerer(operation, full)
      app.on(method.toUpperCase(), full, cors === null ? answer : async (c) => cors.expose(c, await answer(c)))
    }
    app.all(full, otherMethod(byMethod, cors, options))
  }
  mountDocs(app, options)
  const nowhere = new Refusal('NOT_FOUND', 'this path does not exist')
  app.notFound((c) => options.elsewhere?.(c) ?? refuse(c, nowhere, options))
  return app
}

/** Paths with their methods; literal segments before parameters, so that `/quotas/all` is never `/quotas/:orgId`. */
export function routesOf(operations: readonly Operation[]): [path: string, byMethod: Map<string, Operation>][] {
  const routes = new Map<string, Map<string, Operation>>()
  for (const operation of operations) {
    const { method, path, aliases = [] } = operation.http
    for (const each of [path, ...aliases]) {
      const byMethod = routes.get(each) ?? new Map<string, Operation>()
      if (byMethod.has(method))
        throw new Error(`${operation.name} and ${byMethod.get(method)?.name} both answer ${method} ${each}`)
      routes.set(each, byMethod.set(method, operation))
    }
  }
  return [...routes].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
}

/** Sorts a literal segment before a parameter at the same place. */
const rank = (path: string): string => path.replaceAll(/:[A-Za-z]+/g, '\u{10ffff}')

function otherMethod(byMethod: ReadonlyMap<string, Operation>, cors: Cors | null, options: HttpOptions) {
  const isHidden = [...byMethod.values()].some(({ http }) => http.isHiddenFromOthers === true)
  const methods = [...byMethod.keys()].flatMap((method) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  )
  const allow = [...methods, 'OPTIONS'].join(', ')
  return (c: Context): Response => {
    if (c.req.method === 'OPTIONS') {
      const headers = { ...commonHeaders(options), allow, ...cors?.preflight(c, methods) }
      return toResponse({ status: 204, body: null, headers: {} }, headers)
    }
    if (isHidden) return refuse(c, new Refusal('NOT_FOUND', 'not found'), options)
    const refusal = new Refusal('METHOD_NOT_ALLOWED', `the path answers ${methods.join(', ')}`, {
      details: { allowed: methods },
      headers: { allow },
    })
    return refuse(c, refusal, options)
  }
}

function refuse(c: Context, refusal: Refusal, options: HttpOptions): Response {
  const { requestId } = requestInfo(c, sentHeaders(c), options.runtime.ids, options.trustedProxyHops)
  return toResponse(failure(refusal, requestId), answerHeaders(options, requestId))
}
