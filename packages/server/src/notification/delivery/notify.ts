/**
 * The job `compliance.notify`: creates a notification from an announcement and passes it to its channels, or queues it
 * for the digest, in one transaction. Inbox and e-mail have queues in the same database, so a notification enters them
 * exactly once, together with its log row. Only the webhook leaves through its own job.
 */
import { findOrganization, mailRecipients } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { defineJob, type JobWrite } from '../../runtime/jobs/define.js'
import { mailLeaves, sendMail } from '../../runtime/mail/send.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { noticeMessage } from '../../runtime/records/notice.js'
import { Announcement, NOTIFY_JOB, type NotificationKind } from '../../runtime/records/notification.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { defaultPreference, findPreference, modeOf } from '../preference/record.js'
import { type DeliveryRow, type NotificationRow, notificationTables, type PreferenceRow } from '../tables.js'
import { beginAttempt, type Channel, openDelivery, type Result } from './attempt.js'
import { notificationMail } from './mail.js'
import { domainOf, kindOf, textOf } from './text.js'
import { webhookMessage } from './webhook.js'

/** A transaction of a job that may queue work. */
export interface Handing extends Pick<JobWrite, 'tx' | 'nowMs' | 'enqueue'> {
  readonly runtime: Runtime
}

export const notifyJob = defineJob({
  kind: NOTIFY_JOB,
  payload: Announcement,
  audit: none('the delivery log is the record of what was told'),
  async run(context, announcement) {
    const { job, runtime } = context
    const { orgId } = job
    if (orgId === null) return
    await context.finish(async ({ tx, nowMs, enqueue }) => {
      const organization = await findOrganization(tx, orgId)
      if (organization === null || organization.deletedAtMs !== null) return
      const preference = (await findPreference(tx, orgId)) ?? defaultPreference(orgId, nowMs)
      const kind = kindOf(runtime, announcement.event)
      if (kind.isWarning?.(announcement) === true && !preference.notifyOnWarning) return
      const writing = { tx, nowMs, enqueue, runtime }
      const notification = await insertNotification(writing, orgId, announcement)
      if (notification === null) return
      if (kind.isImmediate === true || modeOf(preference) === 'immediate') {
        await handToAll(writing, notification, preference, kind.channels)
      } else await park(writing, notification)
    })
  },
})

/** @returns null when the notification already exists. */
export async function insertNotification(
  { tx, runtime, nowMs }: Handing,
  orgId: string,
  { event, onceKey, priority, relatedCheckId, occurredAtMs, fields }: Announcement,
): Promise<NotificationRow | null> {
  const { notifications: t } = notificationTables(tx)
  const id = runtime.ids.next()
  const payload = { id, event, orgId, occurredAt: toIso(occurredAtMs), ...fields }
  const row = { id, orgId, onceKey, event, priority, payload, relatedCheckId, createdAtMs: nowMs }
  return (await insertNew(tx, t, row)) ? row : null
}

/** Passes it to the inbox always, and to the other channels by the organization's preference. */
export async function handToAll(
  writing: Handing,
  notification: NotificationRow,
  preference: PreferenceRow,
  channels: NotificationKind['channels'] = ['email', 'webhook'],
): Promise<void> {
  await hand(writing, notification, 'in-app', preference)
  if (preference.emailEnabled && channels.includes('email')) await hand(writing, notification, 'email', preference)
  if (preference.webhookUrl === null || !channels.includes('webhook')) return
  await writing.enqueue(webhookMessage(await openDelivery(writing, notification, 'webhook')))
}

async function park(writing: Handing, notification: NotificationRow): Promise<void> {
  const delivery = await openDelivery(writing, notification, 'digest')
  await beginAttempt(writing, delivery, notification.event, { status: 'pending' })
}

type HandedChannel = Exclude<Channel, 'digest' | 'webhook'>

async function hand(
  writing: Handing,
  notification: NotificationRow,
  channel: HandedChannel,
  preference: PreferenceRow,
): Promise<void> {
  const delivery = await openDelivery(writing, notification, channel)
  await handAgain(writing, notification, delivery, preference)
}

/** One attempt by a channel whose queue is in this database. */
export async function handAgain(
  writing: Handing,
  notification: NotificationRow,
  delivery: DeliveryRow,
  preference: PreferenceRow,
): Promise<void> {
  const result =
    delivery.channel === 'email' ? await mail(writing, notification, preference) : await post(writing, notification)
  await beginAttempt(writing, delivery, notification.event, result)
}

async function post({ enqueue, runtime }: Handing, notification: NotificationRow): Promise<Result> {
  const { subject, content } = textOf(runtime, notification)
  await enqueue(
    noticeMessage({
      recipientOrgId: notification.orgId,
      recipientUserId: null,
      subject,
      content,
      priority: notification.priority === 'high' ? 'high' : 'normal',
      channel: domainOf(notification.event),
    }),
  )
  return { status: 'sent' }
}

async function mail(writing: Handing, notification: NotificationRow, preference: PreferenceRow): Promise<Result> {
  const { tx, runtime } = writing
  const { settings } = runtime
  if (!mailLeaves(settings) && settings.NODE_ENV === 'production') {
    return { status: 'failed', error: 'the server cannot send e-mails: the operator sets EMAIL_PROVIDER' }
  }
  const { orgId } = notification
  const recipients = await mailRecipients(tx, orgId, preference.targetUsers)
  if (recipients.length === 0) {
    return { status: 'failed', error: 'no recipient is an active member with a confirmed address' }
  }
  const organization = await findOrganization(tx, orgId)
  const values = { organization: organization?.name ?? orgId, ...textOf(runtime, notification) }
  for (const to of recipients) await sendMail(writing, to, notificationMail, values)
  return { status: 'sent' }
}
