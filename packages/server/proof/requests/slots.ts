/** Which kind of thing a place of a request names: by its name, and for `id` by the path in front of it. */
import type { Operation } from '../../src/runtime/operation/operation.js'
import type { Kind } from '../world/model.js'
import type { Schema } from './from-schema.js'

const BY_NAME: Readonly<Record<string, Kind>> = {
  roleId: 'role',
  roleIds: 'role',
  userId: 'user',
  targetUsers: 'user',
  newOwnerId: 'user',
  reassignTo: 'user',
  actorId: 'user',
  impersonatorId: 'user',
  pid: 'principal',
  sid: 'session',
  ruleId: 'rule',
  ruleIds: 'rule',
  policyId: 'policy',
  scanId: 'scan',
  dependsOnRule: 'rule',
  orgId: 'organization',
  orgIds: 'organization',
  organizationId: 'organization',
  parentOrgId: 'organization',
  affectedOrgId: 'organization',
  recipientOrgId: 'organization',
  recipientUserId: 'user',
  attachmentIds: 'attachment',
  pluginId: 'plugin',
  pluginName: 'pluginName',
  nameExact: 'pluginName',
  jobId: 'build',
  pipelineId: 'pipeline',
  templateId: 'template',
  ownerId: 'user',
  clientId: 'client',
  email: 'email',
  token: 'invitationToken',
}

const BY_SEGMENT: Readonly<Record<string, Kind>> = {
  organization: 'organization',
  users: 'user',
  invitation: 'invitation',
  pats: 'pat',
  secrets: 'secret',
  rules: 'rule',
  messages: 'message',
  attachments: 'attachment',
  policies: 'policy',
  exemptions: 'exemption',
  'notification-log': 'notification',
  scans: 'scan',
  'scan-schedules': 'schedule',
  plugins: 'plugin',
  pipelines: 'pipeline',
  'pipeline-templates': 'template',
  subscriptions: 'subscription',
  invoices: 'invoice',
  alerts: 'alert',
}

/** Null for a place that names nothing; `any` for an id of which nothing is known. */
export function kindOf({ http }: Operation, name: string, schema: Schema): Kind | 'any' | null {
  if (schema.enum !== undefined) return null
  const known = BY_NAME[name]
  if (known !== undefined) return known
  const segments = http.path.split('/')
  // The items of a bulk operation.
  if (name === 'ids') return BY_SEGMENT[segments[1] ?? ''] ?? 'any'
  const before = segments[segments.indexOf(`:${name}`) - 1]
  if (before !== undefined && segments.includes(`:${name}`)) return BY_SEGMENT[before] ?? 'any'
  return /Ids?$/.test(name) || schema.pattern?.startsWith('^[0-9a-f]{8}-') === true ? 'any' : null
}
