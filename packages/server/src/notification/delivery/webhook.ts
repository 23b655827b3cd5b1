/**
 * The job `compliance.webhook`: makes one delivery attempt, then schedules the next. The attempt's row is committed
 * before the request is sent and completed after it. If the process dies in between, the row stays open, and the next
 * attempt closes it as cut off. All attempts carry the delivery's id, so that a receiver can detect duplicates.
 */
import { and, asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { findOrganization } from '../../identity/index.js'
import { HOUR_MS, MINUTE_MS } from '../../runtime/clock.js'
import type { Answered } from '../../runtime/egress/egress.js'
import { readTarget, type Target } from '../../runtime/egress/target.js'
import { defineJob, type JobWrite } from '../../runtime/jobs/define.js'
import type { OutboxMessage, Runtime } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { findPreference, webhookSecretPurpose } from '../preference/record.js'
import { notificationOf } from '../services.js'
import { type AttemptRow, type DeliveryRow, type NotificationRow, notificationTables } from '../tables.js'
import { beginAttempt, endAttempt, type Result } from './attempt.js'
import { webhookHeaders } from './signature.js'
import { TEST_EVENT } from './text.js'

export const WEBHOOK_JOB = 'compliance.webhook'

/** The delays between the attempts of one round. */
export const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS] as const
export const ATTEMPTS_MAX = RETRY_AFTER_MS.length + 1
const BODY_BYTES_MAX = 1_048_576

export const webhookMessage = ({ id, orgId }: Pick<DeliveryRow, 'id' | 'orgId'>, runAtMs?: number): OutboxMessage => ({
  kind: WEBHOOK_JOB,
  orgId,
  payload: { deliveryId: id },
  ...(runAtMs === undefined ? {} : { runAtMs }),
})

interface Begun {
  readonly attempt: AttemptRow
  /** 1 for the first attempt of this round. */
  readonly attemptOfRound: number
  readonly attemptsMax: number
  readonly target: Target
  readonly body: string
  readonly secret: string | null
}

export const webhookJob = defineJob({
  kind: WEBHOOK_JOB,
  payload: strictObject({ deliveryId: Type.String() }),
  audit: none('the delivery log is the record of a delivery'),
  concurrency: 16,
  // A cut-off attempt counts as an attempt of the delivery, so the job needs more attempts than the delivery.
  attemptsMax: 2 * ATTEMPTS_MAX,
  async run(context, { deliveryId }) {
    const { job, runtime, signal } = context
    const { orgId } = job
    if (orgId === null) return
    const begun = await context.write((writing) => begin({ ...writing, runtime }, orgId, deliveryId))
    if (begun === null) return
    const { attempt, target, body, secret } = begun
    const sentAtMs = runtime.clock.now()
    // guard: a-delivery-has-one-id-in-all-of-its-attempts
    const headers = webhookHeaders({ deliveryId, event: attempt.event, body, nowMs: sentAtMs, secret })
    const timeoutMs = runtime.settings.COMPLIANCE_NOTIFY_TIMEOUT_MS
    const answered = await notificationOf({ runtime }).egress().post(target, { headers, body, timeoutMs, signal })
    await context.finish(async ({ tx, nowMs, enqueue }) => {
      const result = resultOf(answered, begun, nowMs)
      await endAttempt({ tx, runtime, nowMs }, attempt, result)
      if (result.status === 'retrying') {
        await enqueue(webhookMessage({ id: deliveryId, orgId }, result.nextRetryAtMs ?? nowMs))
      }
    })
  },
})

type Writing = Pick<JobWrite, 'tx' | 'nowMs'> & { readonly runtime: Runtime }

/** @returns null when there is nothing to send: the delivery succeeded, failed for good, or has no target any more. */
async function begin(writing: Writing, orgId: string, deliveryId: string): Promise<Begun | null> {
  const { tx, runtime } = writing
  const found = await findDelivery(writing, orgId, deliveryId)
  if (found === null) return null
  const { delivery, notification } = found
  // The person who requests a test waits for its outcome.
  const attemptsMax = notification.event === TEST_EVENT ? 1 : ATTEMPTS_MAX
  const attemptOfRound = delivery.attempts - delivery.attemptsBefore + 1
  // guard: six-attempts-and-no-more
  const isOver = attemptOfRound > attemptsMax
  // guard: an-attempt-that-was-cut-off-is-closed
  await closeCutOff(writing, delivery, isOver ? 'failed' : 'retrying')
  if (isOver) return null
  const fail = async (error: string): Promise<null> => {
    await beginAttempt(writing, delivery, notification.event, { status: 'failed', error })
    return null
  }
  const organization = await findOrganization(tx, orgId)
  if (organization === null || organization.deletedAtMs !== null) return fail('the organization is deleted')
  const preference = await findPreference(tx, orgId)
  if (preference?.webhookUrl == null) return fail('the webhook was removed')
  const target = readTarget(preference.webhookUrl, runtime.settings.COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS)
  if (typeof target === 'string') return fail(`the webhook's address ${target}`)
  const body = JSON.stringify(notification.payload)
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) return fail('the notification is too long for a webhook')
  const { sealedSecret } = preference
  const purpose = webhookSecretPurpose(orgId)
  const secret = sealedSecret === null ? null : notificationOf({ runtime }).box().open(sealedSecret, purpose)
  const attempt = await beginAttempt(writing, delivery, notification.event, { status: 'pending' })
  return { attempt, attemptOfRound, attemptsMax, target, body, secret }
}

async function findDelivery(
  { tx }: Writing,
  orgId: string,
  deliveryId: string,
): Promise<{ delivery: DeliveryRow; notification: NotificationRow } | null> {
  const { deliveries: t, notifications } = notificationTables(tx)
  // An update instead of a read, so that a concurrent replay and attempt wait for each other.
  const [delivery] = await tx
    .update(t)
    .set({ orgId })
    .where(and(eq(t.id, deliveryId), eq(t.orgId, orgId)))
    .returning()
  if (delivery === undefined || delivery.state === 'sent' || delivery.state === 'failed') return null
  const [notification] = await tx
    .select()
    .from(notifications)
    .where(and(eq(notifications.id, delivery.notificationId), eq(notifications.orgId, orgId)))
  return notification === undefined ? null : { delivery, notification }
}

/** Closes an attempt whose process died; whether the request arrived is unknown. */
async function closeCutOff(writing: Writing, delivery: DeliveryRow, status: 'retrying' | 'failed'): Promise<void> {
  const { attempts: t } = notificationTables(writing.tx)
  // guard: what-a-killed-process-left-open-is-closed
  const open = await writing.tx
    .select()
    .from(t)
    .where(and(eq(t.deliveryId, delivery.id), eq(t.orgId, delivery.orgId), eq(t.status, 'pending')))
    .orderBy(asc(t.attempt))
  const error = 'the attempt was interrupted; it is unknown whether it arrived'
  for (const attempt of open) await endAttempt(writing, attempt, { status, error })
}

const RETRIED = new Set([408, 425, 429])

/** Network errors, 408, 425, 429 and 5xx are retried; any other failure is final. */
export function resultOf(
  answered: Answered,
  { attemptOfRound, attemptsMax }: Pick<Begun, 'attemptOfRound' | 'attemptsMax'>,
  nowMs: number,
): Result {
  const code = answered.kind === 'answered' ? answered.status : null
  if (code !== null && code >= 200 && code < 300) return { status: 'sent', responseCode: code }
  const error = answered.kind === 'answered' ? wordsOf(answered.status) : answered.reason
  const isRetried = answered.kind === 'failed' || (code !== null && (code >= 500 || RETRIED.has(code)))
  const waitMs = isRetried && attemptOfRound < attemptsMax ? RETRY_AFTER_MS[attemptOfRound - 1] : undefined
  if (waitMs === undefined) return { status: 'failed', responseCode: code, error }
  return { status: 'retrying', responseCode: code, error, nextRetryAtMs: nowMs + waitMs }
}

const wordsOf = (code: number): string =>
  code >= 300 && code < 400 ? 'the receiver redirects, and redirects are not followed' : `the receiver answered ${code}`
