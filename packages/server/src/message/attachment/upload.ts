/**
 * `POST /messages/attachments`: accepts one file, checks its bytes and stores it. The file belongs to its uploader
 * until a message is sent with it. A file that no message uses within a day is deleted.
 */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { BlobStore } from '../../runtime/blob-store.js'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, none, upload } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { UploadedFile } from '../../runtime/operation/upload.js'
import { findPort } from '../../runtime/port.js'
import { type CapacityPort, capacityPort } from '../../runtime/records/capacity.js'
import type { Settings } from '../../runtime/settings/load.js'
import { type AttachmentRow, messageTables } from '../tables.js'
import { viewerOf } from '../visibility.js'
import { Attachment, presentAttachment } from './record.js'
import { lookAt } from './sniff.js'
import { makeThumbnail } from './thumbnail.js'
import { ALLOWED, OCTETS, wantedType } from './types.js'

const MIB = 1_048_576

export const uploadAttachment = ({ MESSAGE_ATTACHMENT_MAX_MB }: Pick<Settings, 'MESSAGE_ATTACHMENT_MAX_MB'>) =>
  upload({
    name: 'message.attachment.upload',
    summary: 'Upload a file for a message that you will send',
    description:
      'The content must have the declared type. Send the id with the message within 24 hours; until then only you can see the file.',
    http: { method: 'post', path: '/messages/attachments', status: 201 },
    access: permission('messages:write'),
    tenant: fromHeader,
    acrossOrganizations: 'stored bytes are counted over the teams of the account',
    audit: none('an attachment counts when a message names it'),
    idempotent: true,
    rateLimit: 'message-attachment',
    upload: {
      part: 'file',
      bytesMax: MESSAGE_ATTACHMENT_MAX_MB * MIB,
      arrivesMs: 300_000,
      contentTypes: [...Object.keys(ALLOWED), OCTETS],
    },
    input: {},
    output: strictObject({ attachment: Attachment }),
    errors: ['QUOTA_EXCEEDED', 'UPSTREAM_ERROR'],
    prepare: (context, _input, file) => store(context, file),
    async run(context, _input, row) {
      const { tx } = context
      await portsOf(context).capacity.take(tx, row.orgId, 'storageBytes', row.sizeBytes + row.thumbnailBytes)
      await tx.insert(messageTables(tx).messageAttachments).values(row)
      return changed({ attachment: presentAttachment(row) })
    },
  })

async function store(context: PrepareContext, file: UploadedFile): Promise<AttachmentRow> {
  const { runtime, nowMs } = context
  const { blobs, capacity } = portsOf(context)
  const contentType = await checkedType(file)
  const { userId } = viewerOf(context)
  const orgId = tenantId(context)
  await context.read((db) => capacity.checkHeadroom(db, orgId, 'storageBytes', file.bytes))
  const thumbnail = await makeThumbnail(file.path, contentType, runtime.settings.MESSAGE_THUMBNAIL_MAX_DIM)
  const id = runtime.ids.next()
  const blobKey = `${orgId}/attachments/${id}`
  await blobs.put(blobKey, createReadStream(file.path), file.bytes)
  const thumbnailKey = thumbnail === null ? null : `${orgId}/thumbnails/${id}`
  if (thumbnail !== null && thumbnailKey !== null) {
    await blobs.put(thumbnailKey, Readable.from([thumbnail.content]), thumbnail.content.length)
  }
  return {
    id,
    orgId,
    uploadedBy: userId,
    messageId: null,
    recipientOrgId: null,
    position: 0,
    filename: file.name,
    contentType,
    sizeBytes: file.bytes,
    sha256: file.sha256,
    blobKey,
    thumbnailKey,
    thumbnailType: thumbnail?.contentType ?? null,
    thumbnailBytes: thumbnail?.content.length ?? 0,
    createdAtMs: nowMs,
  }
}

/** @throws Refusal 415 for a type that is not accepted, or for content that differs from the declared type. */
async function checkedType({ name, contentType, path, bytes }: UploadedFile): Promise<string> {
  const wanted = wantedType(contentType, name)
  if (wanted === null) throw refused('files with this name and type are not accepted')
  const looked = await lookAt(path, bytes, wanted.sniffed.includes('text'))
  if ('problem' in looked) throw refused(`the file ${looked.problem}`)
  // guard: what-the-bytes-say
  if (!wanted.sniffed.includes(looked.type)) {
    throw refused(`the file is ${looked.type}, not ${wanted.contentType}`)
  }
  return wanted.contentType
}

const refused = (message: string): Refusal =>
  new Refusal('UNSUPPORTED_MEDIA_TYPE', message, { details: { accepted: Object.keys(ALLOWED) } })

/** @throws Refusal 503 in a process without a blob store or quotas. */
function portsOf({ runtime }: Pick<PrepareContext, 'runtime'>): {
  readonly blobs: BlobStore
  readonly capacity: CapacityPort
} {
  const { blobs } = runtime
  const capacity = findPort(runtime, capacityPort)
  if (blobs === undefined || capacity === undefined) {
    throw new Refusal('SERVICE_UNAVAILABLE', 'this server stores no files')
  }
  return { blobs, capacity }
}
