/** A personal access token as the API shows it. Only the answer that creates it contains the token itself. */
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { PersonalToken } from '../directory.js'

export const PatView = strictObject({
  id: Uuid,
  name: Type.String(),
  hint: Type.String({ description: 'The last four characters' }),
  organizationId: Uuid,
  /** Null means all permissions that the owner has at each use. */
  permissions: nullable(Type.Array(Type.String())),
  bindToPassword: Type.Boolean(),
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: nullable(Instant),
})

export const patView = (row: PersonalToken): Static<typeof PatView> => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  organizationId: row.orgId,
  permissions: row.permissions,
  bindToPassword: row.bindToPassword,
  createdAt: toIso(row.createdAtMs),
  expiresAt: toIso(row.expiresAtMs),
  lastUsedAt: toIsoOrNull(row.lastUsedAtMs),
})
