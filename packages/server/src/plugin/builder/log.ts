/** `POST /builder/jobs/:jobId/log` */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { createBuildQueue } from '../build/queue.js'
import { BUILDERS, Done, HELD_ERRORS, heldBy, NO_EVIDENCE, onJob, orStale } from './held.js'

export const logBuild = command({
  name: 'plugin.builder.log',
  summary: 'Append to the log of a build, as its builder',
  description:
    'A piece that was received before is not added again. After a gap the answer is 409 with the expected offset.',
  http: { method: 'post', path: '/builder/jobs/:jobId/log' },
  access: BUILDERS,
  tenant: noTenant,
  audit: NO_EVIDENCE,
  input: {
    ...onJob,
    body: strictObject({
      from: Type.Integer({ minimum: 0, description: 'Offset in the log of this attempt, in bytes of UTF-8' }),
      text: Type.String({ maxLength: 65_536 }),
    }),
  },
  output: Done,
  errors: HELD_ERRORS,
  async prepare(context, { path: { jobId }, body: { from, text } }) {
    const held = heldBy(context, jobId)
    const told = await orStale(context, held, createBuildQueue(context.runtime).log(held, text, from))
    if (told === true) return
    throw new Refusal('CONFLICT', `the log of this attempt ends at ${told.expected}: send what is missing`, {
      details: told,
    })
  },
  run: async () => unchanged({ done: true }),
})
