/** Where a request comes from and how it is called in logs: request id, trace, client address. spec platform 1.13, 20. */
import type { Context } from 'hono'
import type { Ids } from '../ids.js'
import type { RequestInfo } from '../operation/context.js'
import { parseTraceparent } from '../tracing.js'
import { bindingsOf, type SentHeaders } from './sent-headers.js'

/** The length of version 00. Later versions append fields. */
const TRACEPARENT_LENGTH = 55
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

export function requestInfo(c: Context, headers: SentHeaders, ids: Ids, trustedHops: number): RequestInfo {
  const sentId = headers.get('x-request-id')
  const traceparent = headers.get('traceparent')
  const traceId = parseTraceparent(traceparent)?.traceId ?? null
  const info = {
    requestId: sentId !== null && REQUEST_ID.test(sentId) ? sentId : ids.next(),
    traceId,
    ip: clientIp(c, headers, trustedHops),
    userAgent: headers.get('user-agent')?.slice(0, 512) ?? null,
    headers: c.req.raw.headers,
  }
  if (traceId === null || traceparent === null) return info
  // When this process makes no spans, what it queues continues the caller's trace.
  return { ...info, traceparent: traceparent.slice(0, TRACEPARENT_LENGTH) }
}

/**
 * The address of the client. Each trusted proxy appends the address it was called from to `X-Forwarded-For`. So in the
 * list "header, then socket" the entry at `trustedHops` from the end is the last one that a trusted proxy wrote.
 * Entries to its left may be forged.
 */
export function clientIp(c: Context, headers: SentHeaders, trustedHops: number): string | null {
  const socket = bindingsOf(c)?.incoming?.socket?.remoteAddress ?? null
  if (trustedHops === 0) return socket
  const forwarded = headers.get('x-forwarded-for')
  if (forwarded === null) return socket
  const chain = forwarded.split(',').map((each) => each.trim())
  return (chain[Math.max(0, chain.length - trustedHops)] || socket) ?? null
}
