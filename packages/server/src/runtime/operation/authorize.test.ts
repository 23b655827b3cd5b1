/** Who passes which door: every kind of caller against every kind of door, and what is asked besides. */
import { describe, expect, it } from 'vitest'
import { Refusal } from '../errors.js'
import {
  type Access,
  anyone,
  either,
  member,
  openToNarrowed,
  ownAccount,
  owner,
  type Permission,
  permission,
  type Scope,
  scope,
  signedIn,
  systemAdmin,
  withFeature,
} from './access.js'
import { authorize } from './authorize.js'
import type { Authority, OrgSummary, Principal } from './context.js'

const PERSON: Principal = {
  kind: 'user',
  userId: 'ann',
  sessionId: 's',
  tokenId: null,
  boundOrgId: null,
  permissions: null,
  impersonatorId: null,
  readOnly: false,
  activeOrgId: null,
}
const SERVICE: Principal = { kind: 'service', clientId: 'c', scopes: [], boundOrgId: 'o', includeTeams: false }
const ORG: OrgSummary = {
  id: 'o',
  name: 'O',
  slug: 'o',
  parentOrgId: null,
  rootOrgId: 'o',
  isSystem: false,
  tier: 'team',
  features: new Set(['audit_log']),
  ownerId: null,
  memberWriteScope: 'org',
}

function authority(more: Partial<Authority> = {}): Authority {
  return {
    org: ORG,
    role: null,
    isMember: false,
    isSuperAdmin: false,
    permissions: new Set<Permission>(),
    scopes: new Set<Scope>(),
    ...more,
  }
}

/** Null when the caller passes, else the code and the reason of the refusal. */
function refusal(access: Access, principal: Principal, held: Authority, isChange = false): string | null {
  try {
    authorize(access, principal, held, isChange)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { reason } = (error.details ?? {}) as { reason?: string }
    return reason === undefined ? error.code : `${error.code} ${reason}`
  }
}

const CALLERS = {
  nobody: [{ kind: 'anonymous' } as Principal, authority()],
  'a stranger': [PERSON, authority()],
  'a member': [PERSON, authority({ role: 'member', isMember: true })],
  'one with both permissions': [
    PERSON,
    authority({ role: 'member', isMember: true, permissions: new Set(['members:manage', 'roles:manage']) }),
  ],
  'one with one of them': [
    PERSON,
    authority({ role: 'member', isMember: true, permissions: new Set(['roles:manage']) }),
  ],
  'an administrator': [PERSON, authority({ role: 'admin', isMember: true })],
  'the owner': [PERSON, authority({ role: 'owner', isMember: true })],
  'a system administrator': [PERSON, authority({ isSuperAdmin: true })],
  'a service': [SERVICE, authority({ scopes: new Set(['audit:ingest']) })],
  'a service with another scope': [SERVICE, authority({ scopes: new Set(['seats:sync']) })],
} as const

const ANY: Access = {
  doors: [{ kind: 'permission', mode: 'any', permissions: ['members:manage', 'roles:manage'] }],
  features: [],
  stepUp: false,
}
const PEOPLE = Object.keys(CALLERS).filter((name) => name !== 'nobody' && !name.startsWith('a service'))

describe('a door', () => {
  it.each([
    { door: 'anyone', access: anyone(), passes: Object.keys(CALLERS) },
    { door: 'signed in', access: signedIn(), passes: PEOPLE },
    { door: 'member', access: member(), passes: PEOPLE.filter((name) => name !== 'a stranger') },
    {
      door: 'all of two permissions',
      access: permission('members:manage', 'roles:manage'),
      passes: ['one with both permissions'],
    },
    { door: 'any of two permissions', access: ANY, passes: ['one with both permissions', 'one with one of them'] },
    { door: 'scope', access: scope('audit:ingest'), passes: ['a service'] },
    { door: 'owner', access: owner(), passes: ['the owner'] },
    { door: 'system administrator', access: systemAdmin(), passes: ['a system administrator'] },
    {
      door: 'owner or system administrator',
      access: either(owner(), systemAdmin()),
      passes: ['the owner', 'a system administrator'],
    },
    {
      door: 'member or scope',
      access: either(member(), scope('audit:ingest')),
      passes: [...PEOPLE.filter((name) => name !== 'a stranger'), 'a service'],
    },
  ])('$door lets exactly these in: $passes', ({ access, passes }) => {
    const passed = Object.entries(CALLERS).filter(([, [principal, held]]) => refusal(access, principal, held) === null)
    expect(passed.map(([name]) => name)).toEqual(passes)
  })

  it('says which right is missing, to people and to services', () => {
    const [stranger, none] = CALLERS['a stranger']
    const [service, scopes] = CALLERS['a service with another scope']
    expect(refusal(member(), { kind: 'anonymous' }, authority())).toBe('TOKEN_MISSING')
    expect(refusal(permission('roles:manage'), stranger, none)).toBe('INSUFFICIENT_PERMISSIONS permission')
    expect(refusal(owner(), stranger, none)).toBe('INSUFFICIENT_PERMISSIONS owner')
    expect(refusal(systemAdmin(), stranger, none)).toBe('INSUFFICIENT_PERMISSIONS system-admin')
    expect(refusal(scope('audit:ingest'), stranger, none)).toBe('INSUFFICIENT_PERMISSIONS service')
    expect(refusal(scope('audit:ingest'), service, scopes)).toBe('INSUFFICIENT_PERMISSIONS scope')
  })
})

describe('behind the door', () => {
  const [, held] = CALLERS['a member']

  it('a session that may only read changes nothing', () => {
    const reader: Principal = { ...PERSON, readOnly: true }
    expect(refusal(member(), reader, held)).toBeNull()
    expect(refusal(member(), reader, held, true)).toBe('READ_ONLY_SESSION')
  })

  it('the plan of the organization must have the feature; a system administrator needs none', () => {
    expect(refusal(withFeature('audit_log', member()), PERSON, held)).toBeNull()
    const lacking = withFeature('sso', member())
    expect(refusal(lacking, PERSON, held)).toBe('INSUFFICIENT_PERMISSIONS feature')
    expect(refusal(lacking, PERSON, { ...held, org: null })).toBe('INSUFFICIENT_PERMISSIONS feature')
    expect(refusal(lacking, ...CALLERS['a system administrator'])).toBeNull()
  })
})

describe('a token that was given some permissions', () => {
  const token: Principal = { ...PERSON, sessionId: null, tokenId: 't', permissions: ['messages:read'] }
  const held = authority({
    role: 'owner',
    isMember: true,
    isSuperAdmin: true,
    permissions: new Set<Permission>(['messages:read']),
  })

  it.each([
    ['signed in', signedIn()],
    ['member', member()],
    ['owner', owner()],
    ['system administrator', systemAdmin()],
    ['another permission', permission('members:manage')],
    ['member with another permission', openToNarrowed(['members:manage'], member())],
  ])('does not pass the door "%s"', (_, access) => {
    expect(refusal(access, token, held)).toBe('INSUFFICIENT_PERMISSIONS permission')
    expect(refusal(access, PERSON, { ...held, permissions: new Set<Permission>(['members:manage']) })).toBeNull()
  })

  it.each([
    ['its permission', permission('messages:read')],
    ['either', either(member(), permission('messages:read'))],
    ['member, with its permission', openToNarrowed(['messages:read'], member())],
    ['whatever was given', openToNarrowed('any', signedIn())],
    ['anyone', anyone()],
  ])('passes the door "%s"', (_, access) => {
    expect(refusal(access, token, held)).toBeNull()
  })
})

describe('the own account', () => {
  it.each<[string, Principal, string | null]>([
    ['a person who signed in', PERSON, null],
    ['a session of an identity provider', { ...PERSON, boundOrgId: 'o' }, 'INSUFFICIENT_PERMISSIONS permission'],
    ['a personal access token', { ...PERSON, sessionId: null, tokenId: 't' }, 'INSUFFICIENT_PERMISSIONS permission'],
    ['an impersonation', { ...PERSON, sessionId: null, impersonatorId: 'r' }, 'INSUFFICIENT_PERMISSIONS permission'],
    ['a service', SERVICE, 'INSUFFICIENT_PERMISSIONS permission'],
  ])('for %s', (_, principal, expected) => {
    expect(refusal(ownAccount(), principal, authority({ isMember: true, isSuperAdmin: false }))).toBe(expected)
  })
})
