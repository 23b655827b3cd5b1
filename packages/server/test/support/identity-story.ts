/**
 * One story over HTTP, from the first registration to the purge: accounts, organizations, teams, Roles, invitations,
 * tokens and confirmations. It works for an app in this process, and for several processes behind a load balancer.
 */
import { generateSync } from 'otplib'
import { expect } from 'vitest'
import type { Mail } from './mailbox.js'
import { type Evidence, type IdentityApp, PASSWORD, type SignedIn, signIn, stepUp } from './sign-in.js'

/** Settings of the app under test, besides the address for its e-mails. */
export const STORY_SETTINGS = {
  EMAIL_PROVIDER: 'smtp',
  SMTP_REQUIRE_TLS: 'false',
  MAIL_FROM: 'Plumbline <noreply@p.example>',
  APP_URL: 'https://p.example',
  BOOTSTRAP_SUPERADMIN_EMAILS: 'root@p.example',
}

export interface StoryPlace {
  readonly app: IdentityApp
  /** All audit events, sealed or not, in the order in which they were written. */
  evidence(): Promise<readonly Evidence[]>
  nowMs(): number
  /** Moves the clock of every process. */
  advance(ms: number): Promise<void>
  /** Waits for the newest matching e-mail to the address. @throws Error if none arrives. */
  mail(to: string, isOne: (mail: Mail) => boolean): Promise<Mail>
  /** Resolves when every process knows what another one has revoked. */
  noticed(): Promise<void>
  /** Purges organizations whose time is over. `gone` must be purged, and `kept` must remain. */
  purge(gone: string, kept: string): Promise<void>
}

type Tokens = Pick<SignedIn, 'accessToken' | 'refreshToken'>

interface Person {
  readonly id: string
  readonly orgId: string
  readonly email: string
  readonly name: string
}

/** @returns the token in the newest matching link sent to the address. */
async function mailed({ mail }: StoryPlace, to: string, path: string): Promise<string> {
  const { text } = await mail(to, (each) => each.text.includes(path))
  const link = new URL(/https:\/\/p\.example\S+/.exec(text)?.[0] ?? '')
  expect(link.pathname).toBe(path)
  return link.searchParams.get('token') ?? ''
}

async function register(place: StoryPlace, name: string): Promise<Person> {
  const { app } = place
  const email = `${name}@p.example`
  const made = await app.call('POST', '/auth/register', { body: { username: name, email, password: PASSWORD } })
  expect(made.status).toBe(201)
  // A future system administrator proves their address with a password reset.
  const isListed = email === STORY_SETTINGS.BOOTSTRAP_SUPERADMIN_EMAILS
  const [page, proof] = isListed ? ['/reset-password', '/auth/password/reset'] : ['/verify-email', '/auth/verify-email']
  const body = { token: await mailed(place, email, page), ...(isListed ? { password: PASSWORD } : {}) }
  expect((await app.call('POST', proof, { body })).status).toBe(204)
  expect((await app.call('POST', proof, { body })).status).toBe(401)
  return { id: made.data.user.id as string, orgId: made.data.organization.id as string, email, name }
}

/** Creates a team and a Role, and sends an invitation by e-mail that creates an account. */
async function invite(place: StoryPlace, ada: Person, adaTokens: Tokens, root: Person) {
  const { app } = place
  const team = await app.call('POST', '/organization', {
    as: adaTokens,
    body: { name: 'Builders', parentOrgId: ada.orgId },
  })
  const teamId = team.data.organization.id as string
  const role = await app.call('POST', `/organization/${ada.orgId}/roles`, {
    as: adaTokens,
    body: { name: 'Readers', permissions: ['pipelines:read', 'reports:read'] },
  })
  const sent = await app.call('POST', '/invitation/send', {
    as: adaTokens,
    headers: { 'x-org-id': ada.orgId.toUpperCase() },
    body: { email: 'bea@p.example', roleIds: [role.data.role.id], message: 'Join us' },
  })
  expect(sent.status).toBe(201)
  expect(sent.data.emailSent).toBe(true)
  expect(sent.data.acceptUrl).toBeUndefined()
  const invitation = await mailed(place, 'bea@p.example', '/invite/accept')
  expect((await app.call('GET', `/invitation/${invitation}`)).data).toMatchObject({
    status: 'pending',
    email: 'b***@p.example',
  })
  const joined = await app.call('POST', '/invitation/accept-new', {
    body: { token: invitation, username: 'bea', password: PASSWORD },
  })
  // The link was sent by e-mail, so the address is verified.
  expect(joined.data).toMatchObject({ user: { isEmailVerified: true }, organization: { id: ada.orgId } })
  expect((await app.call('POST', '/invitation/decline', { body: { token: invitation } })).status).toBe(410)
  const beaId = joined.data.user.id as string
  const beaTokens = await signIn(app, 'bea')
  expect((await app.call('GET', '/auth/me', { as: beaTokens })).data.permissions).toContain('reports:read')
  expect((await app.call('GET', `/organization/${teamId}`, { as: beaTokens })).status).toBe(404)
  expect((await app.call('GET', `/organization/${root.orgId}`, { as: beaTokens })).status).toBe(404)
  return { teamId, beaId, beaTokens, invitation }
}

/** Resets a forgotten password with the link in the e-mail. Old sessions end. */
async function forgetPassword(place: StoryPlace, beaTokens: Tokens) {
  const { app, noticed } = place
  expect((await app.call('POST', '/auth/password/forgot', { body: { email: 'BEA@p.example' } })).status).toBe(202)
  const reset = await mailed(place, 'bea@p.example', '/reset-password')
  const changed = 'Another-Horse-8'
  expect((await app.call('POST', '/auth/password/reset', { body: { token: reset, password: changed } })).status).toBe(
    204,
  )
  await noticed()
  expect((await app.call('GET', '/auth/me', { as: beaTokens })).status).toBe(401)
  const stale = await app.call('POST', '/auth/refresh', { body: { refreshToken: beaTokens.refreshToken } })
  expect(stale.status).toBe(401)
  expect((await app.call('POST', '/auth/password/reset', { body: { token: reset, password: PASSWORD } })).status).toBe(
    401,
  )
  return { reset, changed, tokens: await signIn(app, 'bea', changed) }
}

/** Adds a second factor, then refreshes a token. */
async function addFactor({ app, nowMs, advance }: StoryPlace, beaTokens: Tokens, changed: string) {
  const enrolled = await app.call('POST', '/auth/mfa/totp/enroll', {
    as: beaTokens,
    body: {},
    headers: await stepUp(app, beaTokens, changed),
  })
  const code = () => generateSync({ secret: enrolled.data.secret, epoch: Math.floor(nowMs() / 1000) })
  const confirmed = await app.call('POST', '/auth/mfa/totp/confirm', {
    as: beaTokens,
    body: { code: code() },
    headers: await stepUp(app, beaTokens, changed),
  })
  expect(confirmed.data.recoveryCodes).toHaveLength(10)
  await advance(60_000)
  const challenge = await app.call('POST', '/auth/login', { body: { identifier: 'bea', password: changed } })
  expect(challenge.code).toBe('MFA_REQUIRED')
  const { challengeToken } = challenge.body.details
  const second = await app.call('POST', '/auth/login/mfa', { body: { challengeToken, code: code() } })
  expect(second.status).toBe(200)
  const refreshed = await app.call('POST', '/auth/refresh', { body: { refreshToken: second.data.refreshToken } })
  expect(refreshed.data.refreshToken).not.toBe(second.data.refreshToken)
  return refreshed.data
}

/** A personal access token for a program, and a service principal with its own secret. */
async function addMachines({ app }: StoryPlace, ada: Person, adaTokens: Tokens, teamId: string) {
  const pat = await app.call('POST', '/auth/pats', {
    as: adaTokens,
    body: { name: 'ci', permissions: ['members:manage'] },
    headers: await stepUp(app, adaTokens),
  })
  const members = await app.call('GET', `/organization/${ada.orgId}/members`, { as: pat.data.token })
  expect(members.data.members).toHaveLength(2)
  expect((await app.call('GET', `/organization/${teamId}`, { as: pat.data.token })).status).toBe(404)
  const machine = await app.call('POST', `/organization/${ada.orgId}/service-principals`, {
    as: adaTokens,
    body: { name: 'runner', scopes: ['pipelines:read'] },
    headers: await stepUp(app, adaTokens),
  })
  const { clientId } = machine.data.servicePrincipal
  const service = await app.call('POST', '/auth/token', {
    body: { grant_type: 'client_credentials', clientId, clientSecret: machine.data.clientSecret },
  })
  expect(service.data).toMatchObject({ expiresIn: 300, scope: 'pipelines:read' })
  expect((await app.call('GET', `/organization/${ada.orgId}/roles`, { as: service.data.accessToken })).status).toBe(403)
  return { token: pat.data.token as string, secret: machine.data.clientSecret as string }
}

/**
 * Bea becomes an administrator, then the owner. Her existing token stays valid and gets the new permissions at once.
 */
async function passOwnership(
  { app, noticed }: StoryPlace,
  ada: Person,
  owner: Tokens,
  bea: { id: string; tokens: Tokens },
) {
  const up = await app.call('PATCH', `/organization/${ada.orgId}/members/${bea.id}`, {
    as: owner,
    body: { role: 'admin' },
    headers: await stepUp(app, owner),
  })
  expect(up.data.member.role).toBe('admin')
  await noticed()
  expect((await app.call('GET', '/auth/me', { as: bea.tokens })).data.organization.role).toBe('admin')
  const passed = await app.call('PATCH', `/organization/${ada.orgId}/transfer-owner`, {
    as: owner,
    body: { newOwnerId: bea.id },
    headers: await stepUp(app, owner),
  })
  expect(passed.data).toMatchObject({ previousOwnerId: ada.id, ownerId: bea.id })
  await noticed()
  const adaTokens = await signIn(app, ada.name)
  const refusedDelete = await app.call('DELETE', `/organization/${ada.orgId}`, {
    as: adaTokens,
    headers: await stepUp(app, adaTokens),
  })
  expect(refusedDelete.status).toBe(403)
}

/** A system administrator impersonates the person, read-only, and the person is notified. */
async function impersonate({ app, mail }: StoryPlace, ada: Person, rootTokens: Tokens) {
  const acting = await app.call('POST', `/admin/impersonate/${ada.id}`, {
    as: rootTokens,
    body: { reason: 'a question of support' },
    headers: await stepUp(app, rootTokens),
  })
  const as = acting.data.accessToken as string
  expect((await app.call('GET', '/organization', { as })).status).toBe(200)
  expect((await app.call('POST', '/organization', { as, body: { name: 'Not mine' } })).code).toBe('READ_ONLY_SESSION')
  await mail(ada.email, ({ subject }) => subject.includes('looked at your account'))
}

/** Deletes the team, then the root. Restores, deletes again, purges. */
async function deleteAndPurge(
  place: StoryPlace,
  ada: Person,
  root: Person,
  { teamId, beaId, token }: { teamId: string; beaId: string; token: string },
) {
  const { app, advance, noticed } = place
  let rootTokens = await signIn(app, root.name)
  const gone = async (orgId: string) =>
    app.call('DELETE', `/organization/${orgId}`, { as: rootTokens, headers: await stepUp(app, rootTokens) })
  expect((await gone(ada.orgId)).status).toBe(409)
  expect((await gone(teamId)).status).toBe(202)
  expect((await gone(ada.orgId)).status).toBe(202)
  await noticed()
  expect((await app.call('GET', `/organization/${ada.orgId}/members`, { as: token })).status).toBe(404)
  const back = await app.call('POST', `/organization/${ada.orgId}/restore`, {
    as: rootTokens,
    headers: await stepUp(app, rootTokens),
  })
  expect(back.data.organization).toMatchObject({ id: ada.orgId, ownerId: beaId, memberCount: 2, deletedAt: null })
  expect((await gone(ada.orgId)).status).toBe(202)
  await advance(8 * 86_400_000)
  await place.purge(ada.orgId, root.orgId)
  rootTokens = await signIn(app, root.name)
  const left = await app.call('GET', '/organizations?includeDeleted=true', { as: rootTokens })
  expect(left.data.organizations.map(({ id }: { id: string }) => id)).not.toContain(ada.orgId)
  expect(left.data.organizations.map(({ id }: { id: string }) => id)).not.toContain(teamId)
}

/** Audit records remain after the organization is purged, and contain no secret. */
async function checkEvidence(place: StoryPlace, ada: Person, secrets: readonly string[]) {
  const events = await place.evidence()
  const about = events.filter(({ affectedOrgId }) => affectedOrgId === ada.orgId).map(({ action }) => action)
  expect(about).toEqual(
    expect.arrayContaining(['org.ownership.transfer', 'org.soft_delete', 'org.restore', 'admin.org.delete']),
  )
  const all = JSON.stringify(events)
  for (const secret of secrets) {
    expect(all).not.toContain(secret)
  }
}

export async function identityStory(place: StoryPlace): Promise<void> {
  const { app } = place
  // A system administrator by verified address, and an owner. Neither sees the other's data.
  const root = await register(place, 'root')
  const ada = await register(place, 'ada')
  const rootTokens = await signIn(app, root.name)
  const adaTokens = await signIn(app, ada.email)
  expect((await app.call('GET', '/auth/me', { as: rootTokens })).data.user.isSuperAdmin).toBe(true)
  expect((await app.call('GET', '/auth/me', { as: adaTokens })).data.user).toMatchObject({
    isSuperAdmin: false,
    isEmailVerified: true,
  })

  const { teamId, beaId, beaTokens, invitation } = await invite(place, ada, adaTokens, root)
  const { reset, changed, tokens } = await forgetPassword(place, beaTokens)
  const factored = await addFactor(place, tokens, changed)
  const { token, secret } = await addMachines(place, ada, adaTokens, teamId)
  await passOwnership(place, ada, adaTokens, { id: beaId, tokens: factored })
  await impersonate(place, ada, rootTokens)
  await deleteAndPurge(place, ada, root, { teamId, beaId, token })
  await checkEvidence(place, ada, [PASSWORD, changed, invitation, reset, token, secret])
}
