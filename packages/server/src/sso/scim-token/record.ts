/** Directory tokens as the API shows them, without the token itself. */
import Type from 'typebox'
import type { ScimTokenRow } from '../../identity/index.js'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'

/** One token in use, and one to rotate to. */
export const LIVE_MAX = 2

export const ScimToken = strictObject({
  id: Uuid,
  name: Type.String(),
  idpId: Uuid,
  hint: Type.String({ description: 'The last four characters' }),
  createdAt: Instant,
  expiresAt: Instant,
  lastUsedAt: nullable(Instant),
})

export const scimTokenRecord = (row: ScimTokenRow): Type.Static<typeof ScimToken> => ({
  id: row.id,
  name: row.name,
  idpId: row.providerId,
  hint: row.hint,
  createdAt: toIso(row.createdAtMs),
  expiresAt: toIso(row.expiresAtMs),
  lastUsedAt: toIsoOrNull(row.lastUsedAtMs),
})
