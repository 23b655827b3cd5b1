import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { anyone } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { invitationPath } from '../paths.js'
import { opened } from './open.js'
import { INVITATION_TYPES, STATUSES, statusAt } from './record.js'

/** `ada.lovelace@example.com` → `a***@example.com`. */
const masked = (email: string): string => `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`

/** `GET /invitation/:token`: what the page of the link shows, in every status. */
export const viewInvitation = query({
  name: 'identity.invitation.view',
  summary: 'Read an invitation by its token',
  // OpenAPI treats routes of the same shape as one path, so the parameter has the same name as in the others.
  http: { method: 'get', ...invitationPath('/:id') },
  access: anyone(),
  tenant: noTenant,
  secretPath: ['id'],
  rateLimit: 'auth',
  input: { path: Type.Object({ id: Type.String({ description: 'The token of the link' }) }) },
  output: strictObject({
    organization: strictObject({ name: Type.String() }),
    role: Type.Enum(['admin', 'member']),
    email: Type.String(),
    status: Type.Enum([...STATUSES]),
    expiresAt: Instant,
    invitationType: Type.Enum([...INVITATION_TYPES]),
  }),
  errors: ['NOT_FOUND'],
  async run({ db, nowMs }: ReadContext, { path: { id } }) {
    const { row, org } = await opened(db, id)
    return {
      organization: { name: org.displayName },
      role: row.role as 'admin' | 'member',
      email: masked(row.email),
      status: statusAt(row, nowMs),
      expiresAt: toIso(row.expiresAtMs),
      invitationType: row.invitationType as (typeof INVITATION_TYPES)[number],
    }
  },
})
