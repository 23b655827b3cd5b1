/**
 * Sends e-mails through the queue. A command queues an e-mail in its transaction; the job `mail.send` makes the text
 * from the template and sends it. The values are sealed while they wait, because they contain links that grant access.
 */

import { and, eq, inArray } from 'drizzle-orm'
import type { Static, TSchema } from 'typebox'
import Type from 'typebox'
import { Refusal } from '../errors.js'
import { defineJob, PermanentFailure } from '../jobs/define.js'
import { jobTables } from '../jobs/tables.js'
import type { OutboxMessage, Runtime } from '../operation/context.js'
import { none } from '../operation/operation.js'
import { problems } from '../operation/schema.js'
import { createSecretBox } from '../secret-box.js'
import type { Settings } from '../settings/load.js'
import type { Tx } from '../store/db.js'
import type { AnyTemplate, MailTemplate } from './template.js'
import type { MailTransport } from './transport.js'

export const MAIL_JOB = 'mail.send'
const PURPOSE = 'mail'
const MailPayload = Type.Object({ template: Type.String(), sealed: Type.String() })

/** One address, without a name, a list, or anything that could end a header. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@\p{Cc}]{1,64}@[^\s<>()[\]\\,;:"@\p{Cc}]{1,255}$/u

/** True when an e-mail leaves the server. */
export const mailLeaves = ({ EMAIL_PROVIDER }: Pick<Settings, 'EMAIL_PROVIDER'>): boolean => EMAIL_PROVIDER !== 'none'

/**
 * For operations whose purpose is an e-mail. Development continues without a provider: the text is written to the
 * terminal.
 *
 * @throws Refusal `EMAIL_NOT_CONFIGURED` in production without a provider.
 */
export function requireMail(settings: Pick<Settings, 'EMAIL_PROVIDER' | 'NODE_ENV'>): void {
  if (mailLeaves(settings) || settings.NODE_ENV !== 'production') return
  throw new Refusal(
    'EMAIL_NOT_CONFIGURED',
    'this needs an e-mail, but the server cannot send one: the operator sets EMAIL_PROVIDER',
  )
}

export interface MailContext {
  readonly runtime: Pick<Runtime, 'settings'>
  enqueue(message: OutboxMessage): Promise<void>
}

/** Queues an e-mail in the transaction of the context. In production without a provider nothing is queued. */
export async function sendMail<S extends TSchema>(
  context: MailContext,
  to: string,
  template: MailTemplate<S>,
  values: Static<S>,
): Promise<void> {
  const { settings } = context.runtime
  if (!mailLeaves(settings) && settings.NODE_ENV === 'production') return
  const box = createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? [])
  const sealed = box.seal(JSON.stringify({ to, values }), PURPOSE)
  await context.enqueue({ kind: MAIL_JOB, payload: { template: template.name, sealed }, orgId: null })
}

/**
 * Seals the values of e-mails that may be sent again with the first key of the ring.
 *
 * @returns The number of e-mails.
 */
export async function resealMails(tx: Tx, settings: Pick<Settings, 'SECRET_ENCRYPTION_KEYS'>): Promise<number> {
  const box = createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? [])
  const { jobs } = jobTables(tx)
  // An e-mail that is being sent may be retried, with the payload of its row.
  const isOpen = and(eq(jobs.kind, MAIL_JOB), inArray(jobs.state, ['waiting', 'running']))
  const rows = await tx.select({ id: jobs.id, payload: jobs.payload }).from(jobs).where(isOpen)
  for (const { id, payload } of rows) {
    const mail = payload as Static<typeof MailPayload>
    await tx
      .update(jobs)
      .set({ payload: { ...mail, sealed: box.reseal(mail.sealed, PURPOSE) } })
      .where(and(eq(jobs.id, id), isOpen))
  }
  return rows.length
}

export function mailJob(templates: readonly AnyTemplate[], transport: MailTransport) {
  const byName = new Map(templates.map((template) => [template.name, template]))
  if (byName.size < templates.length) throw new Error('two e-mail templates have the same name')
  return defineJob({
    kind: MAIL_JOB,
    payload: MailPayload,
    audit: none('what caused the e-mail is the evidence'),
    forgetPayload: true,
    async run(context, payload) {
      const template = byName.get(payload.template)
      if (template === undefined) throw new PermanentFailure(`there is no e-mail template ${payload.template}`)
      const box = createSecretBox(context.runtime.settings.SECRET_ENCRYPTION_KEYS ?? [])
      const { to, values } = JSON.parse(box.open(payload.sealed, PURPOSE)) as { to: string; values: unknown }
      if (!ADDRESS.test(to)) throw new PermanentFailure('the recipient is not one e-mail address')
      const issues = problems(template.values, values, '/values')
      if (issues.length > 0)
        throw new PermanentFailure(issues.map(({ path, message }) => `${path} ${message}`).join('; '))
      await transport.send({
        to,
        subject: oneLine(template.subject(values as never)),
        text: template.text(values as never),
        // The same in every attempt, so that a mailbox can recognize a second copy.
        messageId: context.job.id,
      })
    },
  })
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200)
