/** The rate limits as the settings set them; what no setting names keeps its default. */
import type { Bucket, BucketName } from '../operation/buckets.js'
import type { Settings } from './load.js'

export function bucketSizes(
  settings: Settings,
): Partial<Record<BucketName, Partial<Pick<Bucket, 'max' | 'windowMs'>>>> {
  return {
    anonymous: { max: settings.LIMITER_MAX, windowMs: settings.LIMITER_WINDOWMS },
    authenticated: { max: settings.LIMITER_MAX, windowMs: settings.LIMITER_WINDOWMS },
    auth: { max: settings.AUTH_LIMITER_MAX, windowMs: settings.AUTH_LIMITER_WINDOWMS },
    refresh: { max: settings.AUTH_LIMITER_MAX, windowMs: settings.AUTH_LIMITER_WINDOWMS },
    'step-up': { max: settings.STEP_UP_LIMITER_MAX },
    invitations: { max: settings.INVITATION_LIMITER_MAX },
    export: { max: settings.EXPORT_LIMITER_MAX },
    'audit-export': { max: settings.AUDIT_EXPORT_LIMITER_MAX },
    'message-send': { max: settings.MESSAGE_SEND_RATE_MAX },
    'message-attachment': { max: settings.MESSAGE_ATTACHMENT_RATE_MAX },
    'plugin-upload': { max: settings.PLUGIN_UPLOAD_RATE_MAX, windowMs: settings.PLUGIN_UPLOAD_RATE_WINDOWMS },
    ingest: { max: settings.INGEST_RATE_MAX },
  }
}

/** Tier names to multiples of the base. */
export const tierFactors = (settings: Settings): Readonly<Record<string, number>> => ({
  developer: settings.LIMITER_MULT_DEVELOPER,
  pro: settings.LIMITER_MULT_PRO,
  team: settings.LIMITER_MULT_TEAM,
  enterprise: settings.LIMITER_MULT_ENTERPRISE,
  unlimited: settings.LIMITER_MULT_UNLIMITED,
})
