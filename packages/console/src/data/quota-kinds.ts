import { quotaWords } from './words-quota.js'

export type QuotaKind = keyof typeof quotaWords
export const QUOTA_KINDS = Object.keys(quotaWords) as readonly QuotaKind[]
