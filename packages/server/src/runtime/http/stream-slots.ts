/**
 * Limits how many streams may be open at once in this process: for each person, for each organization, and a share of
 * the files that the process may open. So streams never keep ordinary requests out.
 */
import { readFileSync } from 'node:fs'
import { Refusal } from '../errors.js'
import type { Principal } from '../operation/context.js'

export interface StreamsMax {
  readonly perCaller: number
  readonly perOrganization: number
  /** Null means half of the files that the process may open. */
  readonly perProcess: number | null
}

export const STREAMS_MAX: StreamsMax = { perCaller: 10, perOrganization: 100, perProcess: null }

export interface StreamSlots {
  /**
   * Takes a slot and returns the function that frees it. Calling that function again has no effect.
   *
   * @throws Refusal 429 when no slot is free.
   */
  take(principal: Principal, orgId: string | null): () => void
}

export function streamSlots({ perCaller, perOrganization, perProcess }: StreamsMax): StreamSlots {
  const open = new Map<string, number>()
  const bounds = (principal: Principal, orgId: string | null): [key: string, max: number, whose: string][] => [
    [callerKey(principal), perCaller, 'you have'],
    ...(orgId === null ? [] : [[`org:${orgId}`, perOrganization, 'your organization has'] as [string, number, string]]),
    ['process', perProcess ?? half(openFilesMax()), 'this server has'],
  ]
  return {
    take(principal, orgId) {
      const taken = bounds(principal, orgId)
      for (const [key, max, whose] of taken) {
        // guard: open-streams-are-counted
        if ((open.get(key) ?? 0) >= max) throw tooManyStreams(max, whose)
      }
      for (const [key] of taken) open.set(key, (open.get(key) ?? 0) + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        for (const [key] of taken) {
          const left = (open.get(key) ?? 1) - 1
          if (left === 0) open.delete(key)
          else open.set(key, left)
        }
      }
    },
  }
}

/** All tokens and sessions of a person count together. */
function callerKey(principal: Principal): string {
  if (principal.kind === 'user') return `user:${principal.userId}`
  return principal.kind === 'service' ? `service:${principal.clientId}` : 'anonymous'
}

const RETRY_S = 30

const tooManyStreams = (max: number, whose: string): Refusal =>
  new Refusal('RATE_LIMIT_EXCEEDED', `${whose} ${max} streams open: close one, or try again in ${RETRY_S} s`, {
    details: { limit: max, retryAfterSeconds: RETRY_S },
    headers: { 'retry-after': String(RETRY_S) },
  })

const half = (files: number): number => Math.max(1, Math.floor(files / 2))

/** Used when the system does not report its limit. */
const FILES_DEFAULT = 1024
let filesMax: number | undefined

/** The soft limit of open files, as it was when the process first asked. */
function openFilesMax(): number {
  if (filesMax === undefined) {
    let limits = ''
    try {
      limits = readFileSync('/proc/self/limits', 'utf8')
    } catch {
      // Not Linux.
    }
    const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? []
    filesMax = soft === undefined ? FILES_DEFAULT : Number(soft)
  }
  return filesMax
}
