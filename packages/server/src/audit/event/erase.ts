/** `POST /audit/erase` */
import Type from 'typebox'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { eraseUser } from '../retention/erase.js'

export const eraseEvents = command({
  name: 'audit.event.erase',
  summary: 'Erase what identifies a person from the audit events',
  description:
    'Removes e-mail address, network address and browser, and on request the details of events by or about the person. The events stay, and the chains still verify.',
  http: { method: 'post', path: '/audit/erase' },
  access: withStepUp(systemAdmin()),
  tenant: noTenant,
  audit: ['audit.erase'],
  input: {
    body: strictObject({
      userId: Type.String({ minLength: 1, maxLength: 200 }),
      details: Type.Optional(Type.Boolean({ default: false })),
      reason: Type.String({ minLength: 3, maxLength: 500 }),
    }),
  },
  output: strictObject({
    chains: Type.Integer({ minimum: 0 }),
    identities: Type.Integer({ minimum: 0, description: 'Events that lost the personal fields' }),
    details: Type.Integer({ minimum: 0, description: 'Events that lost their details' }),
    pending: Type.Integer({ minimum: 0, description: 'Events that had not been sealed yet' }),
  }),
  errors: [],
  async run(context, { body: { userId, details = false, reason } }) {
    const erased = await eraseUser(context.tx, context.runtime, { userId, details })
    if (erased.identities + erased.details + erased.pending === 0) return unchanged(erased)
    const changedParts = details ? ['identity', 'details'] : ['identity']
    await context.audit('audit.erase', {
      targetType: 'user',
      targetId: userId,
      details: { changed: changedParts, reason },
    })
    return changed(erased)
  },
})
