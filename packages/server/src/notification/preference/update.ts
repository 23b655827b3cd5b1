import { isActiveMember, requireComplianceAdmin } from '../../identity/index.js'
import { readTarget } from '../../runtime/egress/target.js'
import { type FieldIssue, invalid } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { notificationOf } from '../services.js'
import { STANDARD_PREFIX } from '../standard-prefix.js'
import { notificationTables, type PreferenceRow } from '../tables.js'
import { PreferencePatch } from './patch.js'
import {
  defaultPreference,
  findPreference,
  modeOf,
  PreferenceRecord,
  preferenceRecord,
  webhookSecretPurpose,
} from './record.js'

const SECRET_MIN = 8

export const updatePreference = command({
  name: 'notification.preference.update',
  summary: 'Set how the organization is notified',
  description:
    'For owner and administrators, and for the compliance role `admin`. Fields that are not sent stay. Changing the host of `webhookUrl` clears the secret unless the request has a new one.',
  http: { method: 'put', path: '/compliance/notification-preferences' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.preference.update'],
  serverOwned: ['orgId', 'hasWebhookSecret', 'lastDigestAt', 'updatedAt'],
  input: { body: PreferencePatch },
  output: strictObject({ preference: PreferenceRecord }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, nowMs, actor } = context
    requireComplianceAdmin(context.authority)
    const orgId = tenantId(context)
    await lockRow(tx, 'organizations', orgId)
    const row = (await findPreference(tx, orgId)) ?? defaultPreference(orgId, nowMs)
    context.checkRevision(row.revision)
    context.checkServerOwned(preferenceRecord(row))
    const next = await merged(context, row, body)
    const fields = FIELDS.filter((field) => JSON.stringify(row[field]) !== JSON.stringify(next[field]))
    if (fields.length === 0) return unchanged({ preference: preferenceRecord(row) })
    const stored: PreferenceRow = {
      ...next,
      modeSinceMs: next.digestMode === row.digestMode ? row.modeSinceMs : nowMs,
      revision: row.revision + 1,
      updatedBy: actor.id,
      updatedAtMs: nowMs,
    }
    const { preferences: t } = notificationTables(tx)
    await tx.insert(t).values(stored).onConflictDoUpdate({ target: t.orgId, set: stored })
    await context.audit('compliance.preference.update', {
      targetType: 'notification-preference',
      targetId: orgId,
      details: { changed: fields.map((field) => (field === 'sealedSecret' ? 'webhookSecret' : field)) },
    })
    return changed({ preference: preferenceRecord(stored) })
  },
})

const FIELDS = ['notifyOnWarning', 'emailEnabled', 'digestMode', 'targetUsers', 'webhookUrl', 'sealedSecret'] as const

/** @throws Refusal 400 with all issues. */
async function merged(context: WriteContext, row: PreferenceRow, body: PreferencePatch): Promise<PreferenceRow> {
  const issues: FieldIssue[] = []
  const refuse = (field: string, message: string, code: string) =>
    void issues.push({ path: `/body/${field}`, message, code })
  if (body.notifyOnBlock === false) refuse('notifyOnBlock', 'is always true: blocks are always notified', 'fixed')
  const targetUsers = body.targetUsers === undefined ? row.targetUsers : usersOf(body.targetUsers)
  if (body.targetUsers !== undefined) {
    for (const [index, userId] of (body.targetUsers ?? []).entries()) {
      const isMember = await isActiveMember(context.tx, row.orgId, userId)
      // guard: recipients-are-members
      if (!isMember) refuse(`targetUsers/${index}`, 'is not an active member of the organization', 'unknown_member')
    }
  }
  const webhookUrl = urlOf(context, row, body, refuse)
  const sealedSecret = secretOf(context, row, body, hostOf(webhookUrl), refuse)
  if (issues.length > 0) throw invalid(issues)
  return {
    ...row,
    notifyOnWarning: body.notifyOnWarning ?? row.notifyOnWarning,
    emailEnabled: body.emailEnabled ?? row.emailEnabled,
    digestMode: body.digestMode ?? modeOf(row),
    targetUsers,
    webhookUrl,
    sealedSecret,
  }
}

const usersOf = (sent: readonly string[] | null): readonly string[] | null =>
  sent === null || sent.length === 0 ? null : [...new Set(sent)]

type Refuse = (field: string, message: string, code: string) => void

function urlOf({ runtime }: WriteContext, row: PreferenceRow, { webhookUrl: sent }: PreferencePatch, refuse: Refuse) {
  if (sent === undefined) return row.webhookUrl
  if (sent === null || sent === '') return null
  const target = readTarget(sent, runtime.settings.COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS)
  if (typeof target !== 'string') return target.url
  refuse('webhookUrl', target, 'webhook_url')
  return row.webhookUrl
}

const hostOf = (url: string | null): string | null => (url === null ? null : new URL(url).host)

function secretOf(
  context: WriteContext,
  row: PreferenceRow,
  { webhookSecret: sent }: PreferencePatch,
  nextHost: string | null,
  refuse: Refuse,
): string | null {
  // Changing the webhook's address requires the secret; otherwise a new receiver could use the stored one to forge
  // deliveries to the old receiver.
  // guard: the-secret-of-a-webhook-goes-with-its-host
  if (sent === undefined) return nextHost === hostOf(row.webhookUrl) ? row.sealedSecret : null
  if (sent === null || sent === '') return null
  if (sent.length < SECRET_MIN) {
    refuse('webhookSecret', `must have at least ${SECRET_MIN} characters`, 'minLength')
    return null
  }
  // Receivers refuse to verify with it, or would take the empty key that anybody has.
  // guard: a-secret-of-a-webhook-is-a-key
  if (sent.startsWith(STANDARD_PREFIX) && !isKey(sent.slice(STANDARD_PREFIX.length))) {
    refuse('webhookSecret', `must have Base64 of at least ${SECRET_MIN} bytes after \`${STANDARD_PREFIX}\``, 'base64')
    return null
  }
  return notificationOf(context).box().seal(sent, webhookSecretPurpose(row.orgId))
}

const isKey = (text: string): boolean => {
  const key = Buffer.from(text, 'base64')
  const padded = key.toString('base64')
  return key.length >= SECRET_MIN && (text === padded || text === padded.replaceAll('=', ''))
}
