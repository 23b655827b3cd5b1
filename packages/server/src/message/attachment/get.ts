/**
 * `GET /messages/attachments/:id`: the file itself, for everyone who may see its message; before it is attached, only
 * for its uploader.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { file } from '../../runtime/operation/file.js'
import { fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import type { ServedFile } from '../../runtime/operation/served-file.js'
import type { Db } from '../../runtime/store/db.js'
import { findVisible } from '../find-visible.js'
import { oneOf } from '../record.js'
import { type AttachmentRow, messageTables } from '../tables.js'
import { type Viewer, viewerOf } from '../visibility.js'
import { isImage } from './types.js'

export const getAttachment = file({
  name: 'message.attachment.get',
  summary: 'Get an attachment, or its thumbnail',
  http: { method: 'get', path: '/messages/attachments/:id' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: {
    path: Type.Object({ id: Uuid }),
    query: Type.Object({
      thumb: Type.Optional(
        oneOf(['1', '0'], {
          description: '`1`: a small picture; if there is none, the file itself, with `X-Thumbnail: original`',
        }),
      ),
    }),
  },
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'UPSTREAM_ERROR'],
  async open(context, { path: { id }, query: { thumb } }) {
    const row = await context.read((db) => findAttachment(db, viewerOf(context), id))
    const { blobs } = context.runtime
    if (blobs === undefined) throw new Refusal('SERVICE_UNAVAILABLE', 'this server stores no files')
    const { thumbnailKey, thumbnailType } = row
    const served = (key: string, media: string, bytes: number, more: Partial<ServedFile> = {}): ServedFile => ({
      media,
      bytes,
      fileName: row.filename,
      isInline: isImage(media),
      open: (range) => blobs.open(key, range),
      ...more,
    })
    if (thumb === '1' && thumbnailKey !== null && thumbnailType !== null) {
      return served(thumbnailKey, thumbnailType, row.thumbnailBytes, { headers: { 'x-thumbnail': 'thumbnail' } })
    }
    const headers: Record<string, string> = thumb === '1' ? { 'x-thumbnail': 'original' } : {}
    return served(row.blobKey, row.contentType, row.sizeBytes, { headers })
  },
})

/** @throws Refusal 404, also for an attachment whose message the viewer may not see. */
async function findAttachment(db: Db, viewer: Viewer, id: string): Promise<AttachmentRow> {
  const { messageAttachments: t } = messageTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, id))
  if (row === undefined) throw notFound('Attachment')
  if (row.messageId === null) {
    // guard: an-upload-that-waits
    if (row.orgId !== viewer.orgId || row.uploadedBy !== viewer.userId) throw notFound('Attachment')
    return row
  }
  try {
    await findVisible(db, viewer, row.messageId)
  } catch (error) {
    throw error instanceof Refusal && error.code === 'NOT_FOUND' ? notFound('Attachment') : error
  }
  return row
}
