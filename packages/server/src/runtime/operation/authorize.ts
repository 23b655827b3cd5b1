/**
 * The one place that decides whether a caller may run an operation: a pure function of the access union, the principal
 * and the authority. The order of refusals is fixed, so that a caller without a right learns nothing else.
 */
import { insufficient, Refusal } from '../errors.js'
import type { Access, Door } from './access.js'
import type { Authority, Principal } from './context.js'
import { isConfined, notOfAccount } from './session-kind.js'
import { lacksFeature } from './unlocking.js'

/** A credential that is restricted to some permissions is valid only where a permission is asked for. */
const isNarrowed = (principal: Principal): boolean => principal.kind === 'user' && principal.permissions !== null

function doorsOfNarrowed({ doors, openToNarrowed = [] }: Access, { permissions }: Authority): readonly Door[] {
  if (openToNarrowed === 'any' || openToNarrowed.some((each) => permissions.has(each))) return doors
  return doors.filter(({ kind }) => kind === 'permission')
}

/** True when the door lets the caller in. */
function opens(door: Door, principal: Principal, authority: Authority): boolean {
  switch (door.kind) {
    case 'public':
      return true
    case 'signed-in':
      return principal.kind === 'user'
    case 'account':
      // guard: a-confined-session-does-not-touch-the-account
      return principal.kind === 'user' && principal.sessionId !== null && !isConfined(principal)
    case 'member':
      return principal.kind === 'user' && (authority.isMember || authority.isSuperAdmin)
    case 'permission': {
      if (principal.kind !== 'user') return false
      const has = (name: (typeof door.permissions)[number]) => authority.permissions.has(name)
      // guard: all-of-several-permissions
      return door.mode === 'all' ? door.permissions.every(has) : door.permissions.some(has)
    }
    case 'scope':
      // guard: a-service-is-no-person
      return principal.kind === 'service' && authority.scopes.has(door.scope)
    case 'owner':
      // guard: the-owner-alone
      return principal.kind === 'user' && authority.role === 'owner'
    case 'system-admin':
      // guard: the-system-administrator-alone
      return principal.kind === 'user' && authority.isSuperAdmin
  }
}

/** Returns the refusal of the door that the caller comes closest to. */
function refusalOf(doors: readonly Door[], principal: Principal): Refusal {
  const fitting = doors.find(({ kind }) => (kind === 'scope') === (principal.kind === 'service')) ?? doors[0]
  if (isNarrowed(principal) && !doors.some(({ kind }) => kind === 'permission')) {
    return insufficient(
      'permission',
      'this token is limited to some permissions, and none of them allows this: use a session, or a token without a list of permissions',
      { required: [], mode: 'all' },
    )
  }
  switch (fitting?.kind) {
    case 'permission':
      return insufficient(
        'permission',
        `this needs the permission ${fitting.permissions.join(fitting.mode === 'all' ? ' and ' : ' or ')}`,
        {
          required: fitting.permissions,
          mode: fitting.mode,
        },
      )
    case 'scope':
      return principal.kind === 'service'
        ? insufficient('scope', `this needs the scope ${fitting.scope}`, { scope: fitting.scope })
        : insufficient(
            'service',
            `this is for service principals with the scope ${fitting.scope}: make one with POST /organization/:orgId/service-principals, and send the token that POST /auth/token gives it`,
            { scope: fitting.scope },
          )
    case 'owner':
      return insufficient('owner', 'this is for the owner of the organization')
    case 'system-admin':
      return insufficient('system-admin', 'this is for system administrators')
    case 'account':
      return notOfAccount(principal)
    case 'signed-in':
      return insufficient('permission', 'this is for people, not for service principals', { required: [], mode: 'all' })
    default:
      return insufficient('permission', 'this is for members of the organization', { required: [], mode: 'all' })
  }
}

export const isPublic = (access: Access): boolean => access.doors.some(({ kind }) => kind === 'public')

/** @throws Refusal 401 without a credential, 403 without the right. The operation checks step-up afterwards. */
export function authorize(access: Access, principal: Principal, authority: Authority, isChange: boolean): void {
  if (isPublic(access)) return
  // guard: a-caller-without-a-credential-is-refused
  if (principal.kind === 'anonymous') {
    throw new Refusal('TOKEN_MISSING', 'send `Authorization: Bearer <token>`', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
  // guard: a-token-that-was-given-some-permissions-passes-no-other-door
  const doors = isNarrowed(principal) ? doorsOfNarrowed(access, authority) : access.doors
  // guard: a-caller-without-a-door-is-refused
  if (!doors.some((door) => opens(door, principal, authority))) throw refusalOf(access.doors, principal)
  // guard: a-session-that-may-only-read
  if (isChange && principal.kind === 'user' && principal.readOnly) {
    throw new Refusal('READ_ONLY_SESSION', 'this session is read-only')
  }
  if (authority.isSuperAdmin || principal.kind === 'service') return
  for (const feature of access.features) {
    // guard: features-of-the-plan
    if (!authority.org?.features.has(feature)) {
      throw lacksFeature(feature)
    }
  }
}

/** True when a read with this access is allowed. */
export function mayPass(access: Access, principal: Principal, authority: Authority): boolean {
  try {
    authorize(access, principal, authority, false)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
