/**
 * An event in its stored form: one of five statuses, instants in ms, no account number and no credential in any text.
 * The same item always gives the same event, no matter when it arrives.
 */
import { createHash } from 'node:crypto'
import { scrubText } from '@plumbline/audit-chain'
import type { FieldIssue } from '../../runtime/errors.js'
import { hideSecrets } from '../../runtime/log/redact.js'
import type { SentEvent } from './schema.js'

export const STATUSES = ['started', 'succeeded', 'failed', 'canceled', 'superseded'] as const
export type Status = (typeof STATUSES)[number]

export interface RunEvent {
  /** `eventId`, or a hash of the event's subject, so that a repeated event has the same key. */
  readonly key: string
  /** A hash of all its fields, which distinguishes two events with one key. */
  readonly hash: string
  readonly pipelineId: string
  readonly executionId: string
  readonly attempt: number
  readonly source: string
  readonly type: string
  /** Empty for the run itself. */
  readonly stage: string
  readonly action: string
  readonly status: Status
  readonly startedAtMs: number | null
  readonly completedAtMs: number | null
  readonly durationMs: number | null
  readonly environment: string | null
  /** `production` assigns a deployment to the headline environment, regardless of its environment's name. */
  readonly tier: string | null
  readonly sha: string | null
  readonly ref: string | null
  readonly committedAtMs: number | null
  readonly commitCount: number | null
  readonly error: string | null
  readonly isRollback: boolean | null
  readonly isRework: boolean | null
}

const BY_WORD: Readonly<Record<string, Status>> = {
  succeeded: 'succeeded',
  completed: 'succeeded',
  failed: 'failed',
  timeout: 'failed',
  canceled: 'canceled',
  cancelled: 'canceled',
  stopped: 'canceled',
  superseded: 'superseded',
  abandoned: 'canceled',
  in_progress: 'started',
  started: 'started',
  stopping: 'started',
}

export const statusOf = (word: string): Status | undefined => {
  const known = word.toLowerCase()
  return Object.hasOwn(BY_WORD, known) ? BY_WORD[known] : undefined
}

export const isTerminal = (status: Status): boolean => status !== 'started'

/** How far a sender's clock may be ahead of ours. */
export const AHEAD_MS = 5 * 60_000

/** The instant of an event: its end, else its start. */
export const instantOf = ({ completedAtMs, startedAtMs }: Pick<RunEvent, 'completedAtMs' | 'startedAtMs'>): number =>
  completedAtMs ?? startedAtMs ?? 0

/** The earliest instant that an event tells, which puts its run on a day. */
export const beganOf = ({
  startedAtMs,
  completedAtMs,
  durationMs,
}: Pick<RunEvent, 'completedAtMs' | 'startedAtMs' | 'durationMs'>): number =>
  startedAtMs ?? (completedAtMs ?? 0) - (durationMs ?? 0)

const issue = (path: string, message: string, code: string): FieldIssue => ({ path, message, code })

/** The event of a schema-valid item, or its first problem. @param at the path of the item. */
export function readEvent(item: SentEvent, at: string, nowMs: number): RunEvent | FieldIssue {
  const status = statusOf(item.status)
  if (status === undefined)
    return issue(`${at}/status`, `is not a status: ${Object.keys(BY_WORD).join(', ')}`, 'status')
  if (item.startedAt === undefined && item.completedAt === undefined) {
    return issue(`${at}/startedAt`, 'is required where `completedAt` is missing', 'required')
  }
  const startedAtMs = item.startedAt === undefined ? null : Date.parse(item.startedAt)
  const told = item.completedAt === undefined ? null : Date.parse(item.completedAt)
  // guard: an-end-is-not-before-its-beginning
  if (startedAtMs !== null && told !== null && told < startedAtMs) {
    return issue(`${at}/completedAt`, 'is before `startedAt`', 'date_order')
  }
  for (const field of ['startedAt', 'completedAt', 'commitTimestamp'] as const) {
    const text = item[field]
    // guard: no-event-from-the-future
    if (text !== undefined && Date.parse(text) > nowMs + AHEAD_MS) {
      return issue(`${at}/${field}`, 'is in the future: correct the clock of the sender', 'future')
    }
  }
  const isOver = isTerminal(status)
  const durationMs = item.durationMs ?? null
  const ended = told ?? (isOver && startedAtMs !== null && durationMs !== null ? startedAtMs + durationMs : null)
  return sealed(item, status, { startedAtMs, completedAtMs: isOver ? ended : null, durationMs })
}

type Times = Pick<RunEvent, 'startedAtMs' | 'completedAtMs' | 'durationMs'>

function sealed(item: SentEvent, status: Status, times: Times): RunEvent {
  const isRun = item.eventType === 'PIPELINE'
  const attempt = item.attempt ?? 1
  const stage = isRun ? '' : clean(item.stageName ?? (item.eventType === 'BUILD' ? 'build' : 'unnamed'))
  const action = isRun || item.eventType === 'STAGE' ? '' : clean(item.actionName ?? item.eventType.toLowerCase())
  const { environment, commitSha, commitRef, commitTimestamp, errorMessage } = item
  const event = {
    executionId: item.executionId,
    attempt,
    source: item.eventSource ?? 'generic',
    type: item.eventType,
    stage,
    action,
    status,
    ...times,
    environment: environment === undefined ? null : clean(environment),
    tier: item.environmentTier ?? null,
    sha: commitSha?.toLowerCase() ?? null,
    ref: commitRef === undefined ? null : clean(commitRef),
    committedAtMs: commitTimestamp === undefined ? null : Date.parse(commitTimestamp),
    commitCount: item.commitCount ?? null,
    error: errorMessage === undefined || errorMessage === '' ? null : clean(errorMessage),
    isRollback: item.rollback ?? null,
    isRework: item.rework ?? null,
  }
  const about = [item.executionId, attempt, item.eventType, status, stage, action]
  return {
    key: item.eventId ?? `#${digest(about)}`,
    hash: digest(Object.values(event)),
    pipelineId: item.pipelineId,
    ...event,
  }
}

/** Removes account numbers and credentials, and half pairs, which each database would store in its own way. */
// guard: errors-are-scrubbed-before-they-are-stored
export const clean = (text: string): string =>
  hideSecrets(scrubText(text.replaceAll('\0', '').replace(/\p{Cs}/gu, '\uFFFD'))).replace(KEY_VALUE, '$1[hidden]')

/** Build output may contain secrets that never appear in our own logs: cloud keys and `PASSWORD=…`. */
const KEY_VALUE =
  /(?<![A-Za-z0-9])((?:password|passwd|secret|token|api[_-]?key|access[_-]?key)(?:[_-][A-Za-z0-9]+){0,4}\s*[=:]\s*["']?)[^\s"',;&]+|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bglpat-[A-Za-z0-9_-]{16,}/gi

const digest = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
