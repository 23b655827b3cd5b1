/** Opens the blob store that the settings name. */
import { join } from 'node:path'
import type { HealthCheck } from '../health/health.js'
import type { Settings } from '../settings/load.js'
import type { BlobBackend } from './backend.js'
import { fileBlobStore } from './file-store.js'
import { s3BlobStore } from './s3-store.js'

export type BlobSettings = Pick<
  Settings,
  | 'BLOB_STORE'
  | 'DATA_DIR'
  | 'BLOB_S3_ENDPOINT'
  | 'BLOB_S3_BUCKET'
  | 'BLOB_S3_REGION'
  | 'BLOB_S3_ACCESS_KEY_ID'
  | 'BLOB_S3_SECRET_ACCESS_KEY'
  | 'BLOB_S3_SESSION_TOKEN'
  | 'BLOB_S3_PREFIX'
  | 'BLOB_S3_PATH_STYLE'
>

/** The folder in which blobs are stored as files. */
export const blobFolder = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string => join(DATA_DIR, 'blobs')

/** Opens the store. It touches neither disk nor network before its first use. */
export function openBlobs(settings: BlobSettings): BlobBackend {
  if (settings.BLOB_STORE === 'fs') return fileBlobStore(blobFolder(settings))
  return s3BlobStore({
    endpoint: settings.BLOB_S3_ENDPOINT ?? `https://s3.${settings.BLOB_S3_REGION}.amazonaws.com`,
    // The settings are refused when one of these three is missing.
    bucket: settings.BLOB_S3_BUCKET ?? '',
    accessKeyId: settings.BLOB_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.BLOB_S3_SECRET_ACCESS_KEY ?? '',
    sessionToken: settings.BLOB_S3_SESSION_TOKEN,
    region: settings.BLOB_S3_REGION,
    prefix: settings.BLOB_S3_PREFIX,
    pathStyle: settings.BLOB_S3_PATH_STYLE,
  })
}

const LOOKED_MS = 30_000

/**
 * An optional check: without the store, everything works except files. A bucket is probed once in half a minute,
 * however often the check runs.
 */
export function blobCheck(blobs: BlobBackend, now: () => number): HealthCheck {
  let last: { readonly atMs: number; readonly outcome: Promise<void> } | null = null
  return {
    name: 'blobs',
    isOptional: true,
    async check() {
      if (last === null || now() - last.atMs >= LOOKED_MS) last = { atMs: now(), outcome: blobs.ping() }
      await last.outcome
      return undefined
    },
  }
}
