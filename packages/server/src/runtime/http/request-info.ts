/** Where a request comes from and how it is called in logs: request id, trace, client address. Platform decisions 1.13, 20. */
import type { Context } from 'hono'
import type { Ids } from '../ids.js'
import type { RequestInfo } from '../operation/context.js'
import { parseTraceparent } from '../tracing.js'

/** Of version 00; what later versions add stands behind it. */
const TRACEPARENT_LENGTH = 55
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** What `@hono/node-server` hands on; absent in tests without a socket. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } }
}

export function requestInfo(c: Context, ids: Ids, trustedHops: number): RequestInfo {
  const { headers } = c.req.raw
  const sentId = headers.get('x-request-id')
  const traceparent = headers.get('traceparent')
  const traceId = parseTraceparent(traceparent)?.traceId ?? null
  return {
    requestId: sentId !== null && REQUEST_ID.test(sentId) ? sentId : ids.next(),
    traceId,
    // Without spans of this process, what it queues continues the caller's trace.
    ...(traceId === null || traceparent === null ? {} : { traceparent: traceparent.slice(0, TRACEPARENT_LENGTH) }),
    ip: clientIp(c, trustedHops),
    userAgent: headers.get('user-agent')?.slice(0, 512) ?? null,
    headers,
  }
}

/**
 * The address of the client. Each trusted proxy appends the address that it was called from to `X-Forwarded-For`, so of
 * the chain "header, then socket" the entry `trustedHops` from the end is the last one that a trusted party vouches for;
 * anything further left may be invented.
 */
export function clientIp(c: Context, trustedHops: number): string | null {
  const socket = (c.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress ?? null
  if (trustedHops === 0) return socket
  const forwarded = c.req.raw.headers.get('x-forwarded-for')
  if (forwarded === null) return socket
  const chain = forwarded.split(',').map((each) => each.trim())
  return (chain[Math.max(0, chain.length - trustedHops)] || socket) ?? null
}
