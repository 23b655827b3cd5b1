/**
 * The job `message.notice`: posts a notice of the server to an organization as a message of the system organization.
 */
import Type from 'typebox'
import { findOrganization, isActiveMember } from '../../identity/index.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { defineJob } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { NOTICE_JOB } from '../../runtime/records/notice.js'
import { insertMessage } from '../message/insert.js'
import { systemName } from '../message/send.js'
import { CHANNEL, oneOf, PRIORITIES } from '../record.js'

const SUBJECT_MAX = 500
const CONTENT_MAX = 32_768

export const postNotice = defineJob({
  kind: NOTICE_JOB,
  payload: strictObject({
    recipientOrgId: Type.String(),
    recipientUserId: nullable(Type.String()),
    subject: Type.String({ minLength: 1 }),
    content: Type.String({ minLength: 1 }),
    priority: oneOf(PRIORITIES),
    channel: Type.String({
      pattern: CHANNEL,
      'x-says': 'must be 1 to 50 lower-case letters, digits, underscores and hyphens',
    }),
  }),
  audit: none('what it tells has left its own evidence'),
  async run(context, { recipientOrgId, recipientUserId, subject, content, priority, channel }) {
    // Committed together with the completion of the job, so that a notice is posted once.
    await context.finish(async ({ tx }) => {
      const organization = await findOrganization(tx, recipientOrgId)
      if (organization === null || organization.deletedAtMs !== null) return
      // A person who has left the organization meanwhile gets no notice.
      if (recipientUserId !== null && !(await isActiveMember(tx, recipientOrgId, recipientUserId))) return
      const name = await systemName(tx)
      await insertMessage(tx, context.runtime, {
        sender: { orgId: SYSTEM_ORG_ID, orgName: name, id: 'system', name },
        recipient: { orgId: recipientOrgId, orgName: organization.name, userId: recipientUserId },
        subject: subject.replaceAll('\0', '').slice(0, SUBJECT_MAX),
        content: content.replaceAll('\0', '').slice(0, CONTENT_MAX),
        priority,
        channel,
        attachmentIds: [],
      })
    })
  },
})
