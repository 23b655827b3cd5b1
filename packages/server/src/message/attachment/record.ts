/** An attachment as its readers see it. */
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { AttachmentRow } from '../tables.js'

export const ATTACHMENTS_MAX = 5

/** The field of a new message with the ids of earlier uploads. */
export const AttachmentIds = Type.Optional(
  Type.Array(Uuid, {
    maxItems: ATTACHMENTS_MAX,
    uniqueItems: true,
    description: 'Your own uploads that no message uses yet',
  }),
)

export const Attachment = strictObject({
  id: Uuid,
  filename: Type.String(),
  contentType: Type.String(),
  sizeBytes: Type.Integer(),
  sha256: Type.String({ description: 'Hex' }),
  hasThumbnail: Type.Boolean(),
  createdAt: Instant,
})

export const presentAttachment = (row: AttachmentRow): Static<typeof Attachment> => ({
  id: row.id,
  filename: row.filename,
  contentType: row.contentType,
  sizeBytes: row.sizeBytes,
  sha256: row.sha256,
  hasThumbnail: row.thumbnailKey !== null,
  createdAt: toIso(row.createdAtMs),
})
