/** What the database says was told, beside what the receiver got: each thing that is wrong with it. */
import { eq, inArray } from 'drizzle-orm'
import { complianceTables } from '../../src/compliance/tables.js'
import { messageTables } from '../../src/message/tables.js'
import { WEBHOOK_JOB } from '../../src/notification/delivery/webhook.js'
import { digestJob } from '../../src/notification/digest/digest.js'
import {
  type AttemptRow,
  type DeliveryRow,
  type NotificationRow,
  notificationTables,
} from '../../src/notification/tables.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { NOTICE_JOB } from '../../src/runtime/records/notice.js'
import { NOTIFY_JOB } from '../../src/runtime/records/notification.js'
import type { Store } from '../../src/runtime/store/db.js'
import type { Received } from './receiver.js'

export interface Told {
  readonly blocked: readonly string[]
  readonly notifications: readonly NotificationRow[]
  readonly deliveries: readonly DeliveryRow[]
  readonly attempts: readonly AttemptRow[]
  readonly openJobs: readonly { readonly kind: string; readonly state: string }[]
  /** Messages of the inbox by organization. */
  readonly inbox: ReadonlyMap<string, number>
}

export const readTold = (store: Store): Promise<Told> =>
  store.system.snapshot(async (db) => {
    const { checks } = complianceTables(db)
    const { notifications, deliveries, attempts } = notificationTables(db)
    const { messages } = messageTables(db)
    const { jobs } = jobTables(db)
    const inbox = new Map<string, number>()
    for (const { orgId } of await db
      .select({ orgId: messages.recipientOrgId })
      .from(messages)
      .where(eq(messages.channel, 'compliance'))) {
      inbox.set(orgId, (inbox.get(orgId) ?? 0) + 1)
    }
    return {
      blocked: (await db.select({ id: checks.id }).from(checks).where(eq(checks.result, 'block'))).map(({ id }) => id),
      notifications: await db.select().from(notifications),
      deliveries: await db.select().from(deliveries),
      attempts: await db.select().from(attempts),
      openJobs: (
        await db
          .select({ kind: jobs.kind, state: jobs.state })
          .from(jobs)
          .where(inArray(jobs.kind, [NOTIFY_JOB, WEBHOOK_JOB, NOTICE_JOB, digestJob.kind]))
      ).filter(({ state }) => state !== 'done'),
      inbox,
    }
  })

interface Digest {
  readonly count: number
  readonly items: readonly { readonly id: string }[]
  readonly truncated: boolean
}

export const isDigest = ({ event }: NotificationRow): boolean => event === 'compliance.digest'
const isOver = ({ state }: DeliveryRow): boolean => state === 'sent' || state === 'failed'

const group = <T>(all: readonly T[], by: (each: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const each of all) groups.set(by(each), [...(groups.get(by(each)) ?? []), each])
  return groups
}

/** What holds at any moment. */
export function wrongNow(told: Told, received: readonly Received[]): string[] {
  return [...wrongDigests(told), ...wrongAttempts(told), ...wrongRequests(told, received)]
}

/** What holds when nothing is left to do, too. */
export function wrongInTheEnd(told: Told, received: readonly Received[]): string[] {
  const { blocked, notifications, deliveries, openJobs, inbox } = told
  const wrong = wrongNow(told, received)
  const keys = new Set(notifications.map(({ onceKey }) => onceKey))
  const untold = blocked.filter((id) => !keys.has(`check:${id}`))
  if (untold.length > 0) wrong.push(`${untold.length} blocked checks were never told of, such as ${untold[0]}`)
  const open = deliveries.filter((each) => !isOver(each))
  if (open.length > 0) wrong.push(`${open.length} deliveries are never over, such as ${JSON.stringify(open[0])}`)
  for (const { kind, state } of openJobs) wrong.push(`a job ${kind} is ${state}`)
  const posted = group(
    deliveries.filter(({ channel, state }) => channel === 'in-app' && state === 'sent'),
    ({ orgId }) => orgId,
  )
  for (const [orgId, sent] of posted) {
    if (inbox.get(orgId) !== sent.length)
      wrong.push(`${sent.length} messages were handed over, and ${inbox.get(orgId)} are in the inbox`)
  }
  return wrong
}

/** Each event is told by itself or in a digest, and in one alone. */
function wrongDigests({ notifications, deliveries }: Told): string[] {
  const wrong: string[] = []
  const ways = group(deliveries, ({ notificationId }) => notificationId)
  const digestOf = new Map<string, string>()
  for (const each of notifications) {
    const channels = (ways.get(each.id) ?? []).map(({ channel }) => channel).sort()
    const isParked = channels.includes('digest')
    if (channels.length === 0 || (isParked && (channels.length > 1 || isDigest(each))))
      wrong.push(`notification ${each.id} goes by ${channels.join() || 'no way'}`)
    if (new Set(channels).size < channels.length) wrong.push(`notification ${each.id} has two ${channels.join()}`)
    if (!isDigest(each)) continue
    const { count, items, truncated } = each.payload as unknown as Digest
    if (items.length !== count && !truncated) wrong.push(`digest ${each.id} counts ${count} and shows ${items.length}`)
    for (const { id } of items) {
      if (digestOf.has(id)) wrong.push(`${id} is in the digests ${digestOf.get(id)} and ${each.id}`)
      digestOf.set(id, each.id)
    }
  }
  const parked = deliveries.filter(({ channel }) => channel === 'digest')
  const gone = parked.filter(({ state }) => state === 'sent')
  const digests = group(notifications.filter(isDigest), ({ orgId }) => orgId)
  const goneOf = group(gone, ({ orgId }) => orgId)
  for (const orgId of new Set([...digests.keys(), ...goneOf.keys()])) {
    const all = (digests.get(orgId) ?? []).map(({ payload }) => payload as unknown as Digest)
    const counted = all.reduce((sum, { count }) => sum + count, 0)
    const left = goneOf.get(orgId) ?? []
    if (counted !== left.length) wrong.push(`${left.length} went into digests, which count ${counted}`)
    if (all.some(({ truncated }) => truncated)) continue
    const lost = left.filter(({ notificationId }) => !digestOf.has(notificationId))
    if (lost.length > 0) wrong.push(`${lost.length} went into no digest, such as ${lost[0]?.notificationId}`)
  }
  const waiting = parked.filter(({ state, notificationId }) => state !== 'sent' && digestOf.has(notificationId))
  if (waiting.length > 0) wrong.push(`${waiting.length} wait for a digest and are in one`)
  return wrong
}

/** Each attempt has its row; the newest says what the delivery says; what failed says why. */
function wrongAttempts({ deliveries, attempts }: Told): string[] {
  const wrong: string[] = []
  const rowsOf = group(attempts, ({ deliveryId }) => deliveryId)
  for (const { id, channel, state, attempts: count } of deliveries) {
    const rows = (rowsOf.get(id) ?? []).sort((a, b) => a.attempt - b.attempt)
    const says = `delivery ${id} (${channel}, ${state})`
    if (rows.length !== count || rows.some(({ attempt }, at) => attempt !== at + 1))
      wrong.push(`${says} had ${count} attempts, of which the log has ${rows.map(({ attempt }) => attempt).join()}`)
    const last = rows.at(-1)
    if ((last?.status ?? 'pending') !== state) wrong.push(`${says}: the last attempt is ${last?.status}`)
    if (rows.slice(0, -1).some(({ status }) => status === 'pending')) wrong.push(`${says}: an attempt was left open`)
    if (rows.some(({ status, error }) => (status === 'failed' || status === 'retrying') && error === null))
      wrong.push(`${says}: an attempt failed without saying why`)
  }
  return wrong
}

/** At least once, under one id with one content, and never without a row of the log. */
function wrongRequests({ deliveries, attempts }: Told, received: readonly Received[]): string[] {
  const wrong: string[] = []
  const known = new Map(deliveries.map((each) => [each.id, each]))
  const rowsOf = group(attempts, ({ deliveryId }) => deliveryId)
  const requestsOf = group(received, ({ deliveryId }) => deliveryId)
  for (const [id, requests] of requestsOf) {
    const delivery = known.get(id)
    if (delivery?.channel !== 'webhook') {
      wrong.push(`the receiver got ${id}, which is not a delivery`)
      continue
    }
    if (requests.some(({ isSigned }) => !isSigned)) wrong.push(`${id} came without the right signature`)
    if (requests.some(({ notificationId }) => notificationId !== delivery.notificationId))
      wrong.push(`${id} came with another notification`)
    if (new Set(requests.map(({ hash, path }) => `${path} ${hash}`)).size > 1)
      wrong.push(`${id} came with two contents, or to two places`)
    const rows = rowsOf.get(id) ?? []
    if (requests.length > rows.length) wrong.push(`${id} came ${requests.length} times, with ${rows.length} rows`)
  }
  for (const { id, state } of deliveries.filter(({ channel }) => channel === 'webhook')) {
    const taken = (requestsOf.get(id) ?? []).some(({ answer }) => answer === 200)
    if (state === 'sent' && !taken) wrong.push(`${id} is sent, and the receiver never took it`)
  }
  for (const [id, requests] of group(received, ({ notificationId }) => notificationId)) {
    const ids = new Set(requests.map(({ deliveryId }) => deliveryId))
    if (ids.size > 1) wrong.push(`notification ${id} came under the ids ${[...ids].join(' and ')}`)
  }
  return wrong
}
