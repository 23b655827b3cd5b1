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

/** `GET /invitation/:token`: what the page behind the link shows, in every state. */
export const viewInvitation = query({
  name: 'identity.invitation.view',
  summary: 'Read an invitation by its token',
  // The parameter has the name that it has in the other routes of this shape: to OpenAPI they are one path.
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
