/** Authority: which organization a request acts in, and what the caller may do there. */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../test/support/describe-stores.js'
import { type IdentityApp, identityApp, type SignedIn, signUp } from '../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { PERMISSIONS } from '../runtime/operation/access.js'
import type { Principal } from '../runtime/operation/context.js'
import type { Store } from '../runtime/store/db.js'
import { insertMembership } from './account/row.js'
import { giveSuperAdmin } from './auth/bootstrap.js'
import { insertOrganization } from './organization/insert.js'
import { ADMIN_PERMISSIONS, MEMBER_PERMISSIONS } from './permission/bundles.js'
import { builtInRoleId } from './role/built-in.js'
import { identityTables } from './tables.js'

const STRANGE_ORG = '99999999-9999-7999-8999-999999999999'

await describeStores('authority', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ann: SignedIn
  let bob: SignedIn
  let root: SignedIn
  let teamId: string

  beforeAll(async () => {
    store = await open()
    app = await identityApp(store)
    ann = await signUp(app, 'ann')
    bob = await signUp(app, 'bob')
    root = await signUp(app, 'root')
    teamId = await store.system.write(async (tx) => {
      await giveSuperAdmin(tx, app.runtime, root.userId)
      const team = await insertOrganization(tx, app.runtime, {
        name: 'Team of Ann',
        parentOrgId: ann.orgId,
        ownerId: null,
      })
      // Bob is an ordinary member of the root.
      const member = await builtInRoleId(tx, ann.orgId, 'Member')
      await insertMembership(tx, app.runtime, { orgId: ann.orgId, userId: bob.userId, roleIds: [member] })
      return team.id
    })
    for (const { userId } of [ann, bob, root]) app.identity.directory.drop({ userId })
  })
  afterAll(async () => {
    await app.identity.settle()
    await store.close()
  })

  const person = (who: SignedIn, more: object = {}): Principal => ({
    kind: 'user',
    userId: who.userId,
    sessionId: 's',
    tokenId: null,
    boundOrgId: null,
    permissions: null,
    impersonatorId: null,
    readOnly: false,
    activeOrgId: who.orgId,
    ...more,
  })
  const authority = (
    principal: Principal,
    source: 'header' | 'path' | 'none',
    wanted: string | null,
    header?: string,
  ) => {
    const { authenticator } = app.identity
    return (async () => authenticator.authority(principal, source, wanted, header ?? null))()
  }
  const refusal = async (...args: Parameters<typeof authority>) => {
    const error = await authority(...args).then(
      () => null,
      (thrown: { code: string; message: string }) => thrown,
    )
    return error === null ? null : `${error.code}: ${error.message}`
  }

  it('takes an id or a slug, in any case and with spaces around, and the active organization without a header', async () => {
    for (const wanted of [ann.orgId, ann.orgId.toUpperCase(), ann.orgSlug, ` ${ann.orgSlug.toUpperCase()} `, null]) {
      expect((await authority(person(ann), 'header', wanted)).org?.id).toBe(ann.orgId)
    }
  })

  it('answers a foreign organization as one that does not exist', async () => {
    const foreign = await refusal(person(ann), 'header', bob.orgId)
    expect(foreign).toMatch(/^ORG_MISMATCH/)
    for (const wanted of [
      STRANGE_ORG,
      bob.orgSlug,
      'no-such-slug',
      'system',
      SYSTEM_ORG_ID,
      '',
      "' OR 1=1 --",
      'a, b',
    ]) {
      expect(await refusal(person(ann), 'header', wanted), wanted).toBe(String(foreign).replace(bob.orgId, wanted))
    }
    const path = await refusal(person(ann), 'path', bob.orgId)
    expect(path).toBe(
      'NOT_FOUND: Organization not found: it does not exist, or you are not a member of it: `GET /auth/me` lists your organizations',
    )
    for (const wanted of [STRANGE_ORG, bob.orgSlug, SYSTEM_ORG_ID, 'x']) {
      expect(await refusal(person(ann), 'path', wanted)).toBe(path)
    }
  })

  it('takes the tenant from the path and only checks the header', async () => {
    const got = await authority(person(bob), 'path', ann.orgId, bob.orgId)
    expect([got.org?.id, got.role]).toEqual([ann.orgId, 'member'])
    expect(await refusal(person(bob), 'path', bob.orgId, root.orgId)).toMatch(/^ORG_MISMATCH/)
  })

  it('gives each their Roles, the owner the Admin bundle whatever the Roles say', async () => {
    const member = await authority(person(bob), 'header', ann.orgId)
    expect([...member.permissions].sort()).toEqual([...MEMBER_PERMISSIONS].sort())
    await store.system.write(async (tx) => {
      const { roleAssignments } = identityTables(tx)
      const mine = and(eq(roleAssignments.orgId, ann.orgId), eq(roleAssignments.userId, ann.userId))
      await tx.delete(roleAssignments).where(mine)
    })
    app.identity.directory.drop({ userId: ann.userId })
    const owner = await authority(person(ann), 'header', null)
    expect([owner.role, [...owner.permissions].sort()]).toEqual(['owner', [...ADMIN_PERMISSIONS].sort()])
  })

  it('lets owner and Admins of the root administer its teams, and nobody else of the root', async () => {
    const got = await authority(person(ann), 'header', teamId)
    expect([got.role, got.isMember, got.org?.rootOrgId]).toEqual(['admin', true, ann.orgId])
    expect([...got.permissions].sort()).toEqual([...ADMIN_PERMISSIONS].sort())
    expect(await refusal(person(bob), 'header', teamId)).toMatch(/^ORG_MISMATCH/)
    expect(await refusal(person(bob), 'path', teamId)).toMatch(/^NOT_FOUND/)
  })

  it('lets a system administrator into every live organization, with every permission', async () => {
    const got = await authority(person(root), 'header', bob.orgSlug)
    expect([got.isSuperAdmin, got.isMember, got.role]).toEqual([true, false, null])
    expect([...got.permissions].sort()).toEqual([...PERMISSIONS].sort())
    expect((await authority(person(root), 'header', 'system')).org?.id).toBe(SYSTEM_ORG_ID)
    expect(await refusal(person(root), 'header', STRANGE_ORG)).toMatch(/^ORG_MISMATCH/)
  })

  it('holds a personal access token to its organization and its permissions', async () => {
    const bound = { sessionId: null, tokenId: 't', boundOrgId: ann.orgId, activeOrgId: ann.orgId }
    const narrowed = person(ann, { ...bound, permissions: ['pipelines:read', 'registry:write'] })
    expect([...(await authority(narrowed, 'header', null)).permissions]).toEqual(['pipelines:read'])
    for (const wanted of [teamId, bob.orgId]) {
      expect(await refusal(narrowed, 'header', wanted)).toMatch(/^ORG_MISMATCH/)
      expect(await refusal(narrowed, 'path', wanted)).toMatch(/^NOT_FOUND: Organization not found/)
    }
    const ofRoot = (orgId: string, permissions: string[] | null) =>
      authority(person(root, { ...bound, boundOrgId: orgId, activeOrgId: orgId, permissions }), 'header', null)
    expect((await ofRoot(root.orgId, null)).isSuperAdmin).toBe(false)
    expect((await ofRoot(SYSTEM_ORG_ID, ['pipelines:read'])).isSuperAdmin).toBe(false)
    expect((await ofRoot(SYSTEM_ORG_ID, null)).isSuperAdmin).toBe(true)
  })

  it('holds a service principal to its organization, with its teams only when it includes them', async () => {
    const service = (more: object): Principal => ({
      kind: 'service',
      clientId: 'c',
      scopes: ['pipelines:read'],
      boundOrgId: ann.orgId,
      includeTeams: false,
      ...more,
    })
    const own = await authority(service({}), 'header', null)
    expect([own.org?.id, own.permissions.size, [...own.scopes]]).toEqual([ann.orgId, 0, ['pipelines:read']])
    expect(await refusal(service({}), 'header', teamId)).toMatch(/^ORG_MISMATCH/)
    expect((await authority(service({ includeTeams: true }), 'path', teamId)).org?.id).toBe(teamId)
    expect(await refusal(service({ includeTeams: true }), 'path', bob.orgId)).toMatch(/^NOT_FOUND/)
    expect((await authority(service({ boundOrgId: null }), 'header', bob.orgSlug)).org?.id).toBe(bob.orgId)
  })

  it('forgets an organization that was deleted, and its teams, within 5 seconds', async () => {
    const gil = await signUp(app, `gil${store.database}`)
    expect((await authority(person(gil), 'header', null)).org?.id).toBe(gil.orgId)
    const setDeleted = (deletedAtMs: number | null) =>
      store.system.write(async (tx) => {
        const { organizations } = identityTables(tx)
        await tx.update(organizations).set({ deletedAtMs }).where(eq(organizations.id, gil.orgId))
      })
    await setDeleted(1)
    app.clock.advance(4999)
    expect((await authority(person(gil), 'header', null)).org?.id).toBe(gil.orgId)
    app.clock.advance(1)
    expect(await refusal(person(gil), 'header', null)).toMatch(/^ORG_MISMATCH/)
    expect(await refusal(person(gil), 'path', gil.orgId)).toMatch(/^NOT_FOUND/)
    // Their own account is still accessible.
    expect((await authority(person(gil), 'none', null)).org).toBeNull()
  })

  it('takes membership and account away within 5 seconds, through HTTP', async () => {
    const hal = await signUp(app, `hal${store.database}`)
    const me = () => app.call('GET', '/auth/me', { as: hal })
    expect((await me()).status).toBe(200)
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ tokenVersion: 2 }).where(eq(users.id, hal.userId))
    })
    app.clock.advance(5000)
    expect((await me()).code).toBe('TOKEN_REVOKED')
  })

  it('answers 503 and lets nobody in when the database does not answer', async () => {
    app.clock.advance(5000)
    const { system } = store
    const read = system.read
    system.read = () => Promise.reject(new Error('connection refused'))
    try {
      const answer = await app.call('GET', '/auth/me', { as: ann })
      expect([answer.status, answer.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(JSON.stringify(answer.body)).not.toContain('refused')
      expect(await refusal(person(ann), 'header', null)).toMatch(/^SERVICE_UNAVAILABLE/)
    } finally {
      system.read = read
    }
    expect((await app.call('GET', '/auth/me', { as: ann })).status).toBe(200)
  })

  it('puts tier and features of the account on its teams, with what the person has besides', async () => {
    const billed = await identityApp(store, { settings: { BILLING_ENABLED: 'true', DEFAULT_QUOTA_TIER: 'developer' } })
    await store.system.write(async (tx) => {
      const { organizations, users } = identityTables(tx)
      await tx.update(organizations).set({ tier: 'team' }).where(eq(organizations.id, ann.orgId))
      await tx.update(organizations).set({ tier: 'developer' }).where(eq(organizations.id, teamId))
      const featureOverrides = { sso: false, custom_integrations: true }
      await tx.update(users).set({ featureOverrides }).where(eq(users.id, ann.userId))
    })
    const got = await billed.identity.authenticator.authority(person(ann), 'header', teamId, null)
    expect(got.org?.tier).toBe('team')
    expect([...(got.org?.features ?? [])].sort()).toEqual(
      ['ai_generation', 'audit_log', 'bulk_operations', 'custom_integrations', 'priority_support'].sort(),
    )
    app.identity.directory.drop({ userId: ann.userId })
    expect((await authority(person(ann), 'header', teamId)).org?.tier).toBe('unlimited')
  })
})
