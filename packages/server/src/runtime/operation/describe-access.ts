/** Describes access in words, for the permission table, the OpenAPI document and the tests that print it. */
import type { Access, Door } from './access.js'
import type { AnyCommand, Operation } from './operation.js'

function describeDoor(door: Door): string {
  switch (door.kind) {
    case 'public':
      return 'anyone'
    case 'signed-in':
      return 'signed in'
    case 'account':
      return 'own account'
    case 'member':
      return 'member'
    case 'permission':
      return door.permissions.map((name) => `\`${name}\``).join(door.mode === 'all' ? ' and ' : ' or ')
    case 'scope':
      return `service with \`${door.scope}\``
    case 'owner':
      return 'owner'
    case 'system-admin':
      return 'system administrator'
  }
}

/** Describes which restricted tokens pass a door that asks for no permission. */
const describeNarrowed = (by: NonNullable<Access['openToNarrowed']>): string =>
  by === 'any' ? 'narrowed tokens too' : `narrowed tokens with ${by.map((name) => `\`${name}\``).join(' or ')}`

/** Such as "`roles:manage` or owner, feature `sso`, step-up". */
export function describeAccess({ doors, features, stepUp, stepUpWhen, openToNarrowed }: Access): string {
  return [
    doors.map(describeDoor).join(' or '),
    ...(openToNarrowed === undefined ? [] : [describeNarrowed(openToNarrowed)]),
    ...features.map((feature) => `feature \`${feature}\``),
    ...(stepUp === false ? [] : [stepUp === 'always' ? 'step-up' : 'step-up (services without)']),
    ...(stepUpWhen === undefined ? [] : [`step-up when ${stepUpWhen}`]),
  ].join(', ')
}

/** Lists the actions that an operation may write, or says why it writes none. */
export function describeAudit(operation: Operation): string {
  const { audit, silentWhen } = operation as Audited
  if (audit === undefined) return 'reads only'
  if ('none' in audit) return `none: ${audit.none}`
  const actions = audit.map((action: string) => `\`${action}\``).join(', ')
  return silentWhen === undefined ? actions : `${actions}; none when ${silentWhen}`
}

type Audited = Partial<Pick<AnyCommand, 'audit' | 'silentWhen'>>

/** Where the tenant comes from. */
export function describeTenant({ tenant }: Operation): string {
  return tenant.from === 'path' ? `path \`:${tenant.name}\`` : SOURCES[tenant.from]
}

const SOURCES = { header: '`x-org-id`', account: 'root of `x-org-id`', none: 'none' } as const
