/** Fills the store of a proof: organizations with their people and records, and everybody who calls. */
import { eq } from 'drizzle-orm'
import type { App } from '../../src/app.js'
import { insertMembership } from '../../src/identity/account/row.js'
import { giveSuperAdmin } from '../../src/identity/auth/bootstrap.js'
import { hashPassword } from '../../src/identity/credential/password-hash.js'
import { insertUser } from '../../src/identity/new-user.js'
import { insertOrganization } from '../../src/identity/organization/insert.js'
import { builtInRoleId } from '../../src/identity/role/built-in.js'
import { identityOf } from '../../src/identity/services.js'
import { identityTables } from '../../src/identity/tables.js'
import { createBuildQueue } from '../../src/plugin/build/index.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import type { Tx } from '../../src/runtime/store/db.js'
import { makeBilling } from './billing.js'
import { makeNotified, makeRules } from './compliance.js'
import { makeDeadBuild, makeInventory, makeWaitingBuild } from './inventory.js'
import type { Maker } from './maker.js'
import { makeMessages } from './messages.js'
import {
  canary,
  type Marked,
  ORGANIZATIONS,
  PASSWORD,
  type ProofOrganization,
  type ProofPrincipal,
  ROOTS,
  ROOTS_WITH_TEAMS,
  type World,
} from './model.js'
import { makeRolesAndInvitations } from './people.js'

interface Person {
  readonly id: string
  readonly username: string
  readonly email: string
}

export class Builder {
  readonly #app: App
  readonly #marks = new Map<string, Marked>()
  readonly #organizations: ProofOrganization[] = []
  readonly #principals: ProofPrincipal[] = []

  constructor(app: App) {
    this.#app = app
  }

  async build(): Promise<Pick<World, 'organizations' | 'principals' | 'marks'>> {
    for (let index = 0; index < ORGANIZATIONS; index++) await this.#organization(index)
    for (const { kind, home, token } of [...this.#principals]) {
      const organization = this.#organizations[home ?? -1]
      if (kind === 'owner' && organization !== undefined) await makeWaitingBuild(this.#maker(organization, token))
    }
    await this.#system()
    return { organizations: this.#organizations, principals: this.#principals, marks: this.#marks }
  }

  async #organization(index: number): Promise<void> {
    const parent = index < ROOTS ? null : (index - ROOTS) % ROOTS_WITH_TEAMS
    const children =
      index < ROOTS_WITH_TEAMS
        ? Array.from({ length: ORGANIZATIONS - ROOTS }, (_, at) => ROOTS + at).filter(
            (team) => (team - ROOTS) % ROOTS_WITH_TEAMS === index,
          )
        : []
    const people = await this.#people(index, ['owner', 'admin', 'member'])
    const [owner, admin, member] = people as [Person, Person, Person]
    const slug = canary(index, 'slug')
    const row = await this.#write((tx) =>
      insertOrganization(tx, this.#app.runtime, {
        name: canary(index, 'name'),
        displayName: canary(index, 'display'),
        description: canary(index, 'description'),
        slug,
        tier: 'enterprise',
        ownerId: owner.id,
        ...(parent === null ? {} : { parentOrgId: this.#organizations[parent]?.id ?? '' }),
      }),
    )
    await this.#write(async (tx) => {
      for (const [person, role] of [[admin, 'Admin'] as const, [member, 'Member'] as const]) {
        const roleIds = [await builtInRoleId(tx, row.id, role)]
        await insertMembership(tx, this.#app.runtime, { orgId: row.id, userId: person.id, roleIds })
      }
      const { users, organizations } = identityTables(tx)
      for (const { id } of people) await tx.update(users).set({ activeOrgId: row.id }).where(eq(users.id, id))
      await tx.update(organizations).set({ seatLimit: 1000 }).where(eq(organizations.id, row.id))
    })
    const organization: ProofOrganization = {
      index,
      id: row.id,
      slug,
      parent,
      children,
      things: thingsOf(row.id, slug, people),
    }
    this.#organizations.push(organization)
    // A root and its teams know each other by id and names, not by anything else.
    const family = [index, ...children, ...(parent === null ? [] : [parent])]
    for (const what of ['name', 'display', 'slug']) this.#mark(canary(index, what), family)
    this.#mark(canary(index, 'description'), [index])
    this.#mark(row.id, family)
    // Who administers a root may act in its teams, and stands in their trail then.
    for (const person of [owner, admin]) this.#markPerson(person, [index, ...children])
    this.#markPerson(member, [index])
    const sees = new Set([index, ...children])
    const [asOwner = '', asAdmin = ''] = await this.#signInAll(organization, people)
    const maker = this.#maker(organization, asOwner)
    await makeRolesAndInvitations(maker)
    await makeMessages(maker, admin.id)
    await this.#servicePrincipal(organization, asOwner, sees)
    if (organization.parent === null) await this.#directory(organization, asOwner)
    await this.#personalToken(organization, asAdmin, sees, admin)
    await makeRules(maker)
    await makeNotified(maker, this.#app.runtime)
    await makeInventory(maker)
    await makeDeadBuild(maker, createBuildQueue(this.#app.runtime))
    await this.#removed(organization, asOwner)
    if (parent === null && this.#app.runtime.settings.BILLING_ENABLED) await makeBilling(maker)
  }

  /** The tokens of owner, administrator and member, who are principals from then on. */
  async #signInAll({ index, children }: ProofOrganization, people: readonly Person[]): Promise<readonly string[]> {
    const sees = new Set([index, ...children])
    const [owner, admin, member] = people as [Person, Person, Person]
    const tokens: string[] = []
    for (const [person, kind] of [
      [owner, 'owner'],
      [admin, children.length > 0 ? 'parent admin' : 'admin'],
      [member, 'member'],
    ] as const) {
      const token = await this.#signIn(person)
      tokens.push(token)
      this.#principals.push({
        kind,
        token,
        home: index,
        sees: kind === 'member' ? new Set([index]) : sees,
        canStepUp: true,
        self: person.id,
      })
    }
    return tokens
  }

  #maker({ index, id, children, things }: ProofOrganization, token: string): Maker {
    return {
      index,
      id,
      children,
      things,
      named: (what) => canary(index, what),
      post: (path, body) => this.#call('POST', path, token, body, { 'x-org-id': id }),
      put: (path, body) => this.#call('PUT', path, token, body, { 'x-org-id': id }),
      mark: (text, seenIn) => this.#mark(text, seenIn),
    }
  }

  /** Who was a member: of every other organization with the token from then, of the rest signed in again. */
  async #removed({ index, id }: ProofOrganization, owner: string): Promise<void> {
    const [person] = (await this.#people(index, ['former'])) as [Person]
    await this.#write(async (tx) => {
      const roleIds = [await builtInRoleId(tx, id, 'Admin')]
      await insertMembership(tx, this.#app.runtime, { orgId: id, userId: person.id, roleIds })
      await tx
        .update(identityTables(tx).users)
        .set({ activeOrgId: id })
        .where(eq(identityTables(tx).users.id, person.id))
    })
    this.#markPerson(person, [index])
    const before = await this.#signIn(person)
    await this.#call('DELETE', `/organization/${id}/members/${person.id}`, owner, undefined)
    const token = index % 2 === 0 ? before : await this.#signIn(person)
    const sees = new Set<number>()
    this.#principals.push({ kind: 'removed member', token, home: index, sees, canStepUp: false, self: person.id })
  }

  /** A machine of the organization, which is let into the teams too. */
  async #servicePrincipal(
    { index, id, things }: ProofOrganization,
    owner: string,
    sees: ReadonlySet<number>,
  ): Promise<void> {
    const principal = await this.#call(
      'POST',
      `/organization/${id}/service-principals`,
      owner,
      {
        name: canary(index, 'service'),
        scopes: ['reporting:ingest', 'pipelines:read', 'images:scan'],
        includeTeams: true,
      },
      await this.#stepUp(owner),
    )
    const made = principal.data.servicePrincipal ?? principal.data.principal ?? principal.data
    const secret = principal.data.clientSecret ?? principal.data.secret
    things.principal.push(made.id)
    things.client.push(made.clientId)
    const token = await this.#call('POST', '/auth/token', null, {
      grant_type: 'client_credentials',
      clientId: made.clientId,
      clientSecret: secret,
    })
    this.#principals.push({
      kind: 'service',
      token: token.data.accessToken,
      home: index,
      sees,
      canStepUp: false,
      self: made.clientId,
    })
    for (const text of [canary(index, 'service'), made.clientId]) this.#mark(text, [...sees])
    this.#mark(made.id, [index])
  }

  /** The directory of an identity provider, which sees the people and groups that it sent. */
  async #directory({ index, id }: ProofOrganization, owner: string): Promise<void> {
    const body = { issuer: `https://login-${index}.example.com`, clientId: canary(index, 'client') }
    const made = await this.#call('PUT', `/organization/${id}/idp`, owner, body, await this.#stepUp(owner))
    const header = await this.#stepUp(owner)
    const token = await this.#call('POST', `/organization/${id}/scim-tokens`, owner, {}, header)
    this.#principals.push({
      kind: 'directory',
      token: token.data.token,
      home: index,
      sees: new Set([index]),
      canStepUp: false,
      self: token.data.scimToken.id,
    })
    // Its first use is marked on the side: no request of the proof does that.
    await this.#call('GET', '/scim/v2/ServiceProviderConfig', token.data.token, undefined)
    await identityOf({ runtime: this.#app.runtime }).settle()
    for (const text of [made.data.provider.id, token.data.scimToken.id, body.clientId]) this.#mark(text, [index])
  }

  /** Bound to the organization; what else the account of the person sees stays visible to it. */
  async #personalToken(
    { index, id, things }: ProofOrganization,
    admin: string,
    sees: ReadonlySet<number>,
    { id: self }: Person,
  ): Promise<void> {
    const pat = await this.#call(
      'POST',
      '/auth/pats',
      admin,
      { name: canary(index, 'pat'), organizationId: id },
      await this.#stepUp(admin),
    )
    things.pat.push(pat.data.pat.id)
    this.#principals.push({
      kind: 'personal token',
      token: pat.data.token,
      home: index,
      sees,
      canStepUp: false,
      self,
    })
    const sessions = await this.#call('GET', '/auth/sessions', admin, undefined)
    const listed = sessions.data.sessions ?? sessions.data
    things.session.push(...listed.map((each: { id?: string; sid?: string }) => each.id ?? each.sid))
    for (const text of [canary(index, 'pat'), ...things.pat, ...things.session]) this.#mark(text, [index])
  }

  async #system(): Promise<void> {
    const everywhere = new Set(this.#organizations.map(({ index }) => index))
    const [admin] = (await this.#people(99, ['super'])) as [Person]
    await this.#write((tx) => giveSuperAdmin(tx, this.#app.runtime, admin.id))
    const token = await this.#signIn(admin)
    this.#principals.push({
      kind: 'super admin',
      token,
      home: null,
      sees: everywhere,
      canStepUp: true,
      self: admin.id,
    })
    for (const { self, home, sees } of this.#principals.filter(({ kind }) => kind === 'owner')) {
      const reason = { reason: 'a question of support' }
      const acting = await this.#call('POST', `/admin/impersonate/${self}`, token, reason, await this.#stepUp(token))
      this.#principals.push({
        kind: 'impersonator',
        token: acting.data.accessToken,
        home,
        sees,
        canStepUp: false,
        self,
      })
    }
    this.#principals.push({
      kind: 'anonymous',
      token: '',
      home: null,
      sees: new Set(),
      canStepUp: false,
      self: 'nobody',
    })
    const made = await this.#call(
      'POST',
      `/organization/${SYSTEM_ORG_ID}/service-principals`,
      token,
      {
        name: 'billing',
        scopes: [
          'seats:sync',
          'members:probe',
          'audit:ingest',
          'quota:increment',
          'quota:reset',
          'messages:notify',
          'compliance:events',
          'builds:work',
          'retention:sync',
        ],
      },
      await this.#stepUp(token),
    )
    const principal = made.data.servicePrincipal ?? made.data.principal ?? made.data
    const access = await this.#call('POST', '/auth/token', null, {
      grant_type: 'client_credentials',
      clientId: principal.clientId,
      clientSecret: made.data.clientSecret ?? made.data.secret,
    })
    this.#principals.push({
      kind: 'system service',
      token: access.data.accessToken,
      home: null,
      sees: everywhere,
      canStepUp: false,
      self: principal.clientId,
    })
  }

  async #people(index: number, names: readonly string[]): Promise<Person[]> {
    const passwordHash = await hashPassword(PASSWORD, { log2N: 4, r: 8, p: 3 })
    const made: Person[] = []
    for (const name of names) {
      const username = canary(index, name)
      const email = `${canary(index, `${name}mail`)}@plumbline.test`
      const { id } = await this.#write((tx) =>
        insertUser(tx, this.#app.runtime, { username, email, passwordHash, isEmailVerified: true }),
      )
      made.push({ id, username, email })
    }
    return made
  }

  #markPerson({ id, username, email }: Person, seenIn: readonly number[]): void {
    for (const text of [id, username, email.replace(/@.*/, '')]) this.#mark(text, seenIn, id)
  }

  #mark(text: string, seenIn: readonly number[], owner?: string): void {
    if (text === '') throw new Error('nothing to mark')
    this.#marks.set(text.toLowerCase(), { text, seenIn: new Set(seenIn), ...(owner !== undefined && { owner }) })
  }

  #write<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#app.runtime.store.system.write(run, 'proof')
  }

  async #signIn({ username }: Person): Promise<string> {
    const { data } = await this.#call('POST', '/auth/login', null, { identifier: username, password: PASSWORD })
    return data.accessToken
  }

  async #stepUp(token: string): Promise<Record<string, string>> {
    const { data } = await this.#call('POST', '/auth/step-up', token, { method: 'password', password: PASSWORD })
    return { 'x-step-up-token': data.stepUpToken }
  }

  async #call(
    method: string,
    path: string,
    token: string | null,
    body: unknown,
    headers: Record<string, string> = {},
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
  ): Promise<any> {
    const response = await this.#app.http.fetch(
      new Request(`http://plumbline.test/api${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
}

/** What an organization begins with; the makers add the rest. */
const thingsOf = (orgId: string, slug: string, people: readonly Person[]): ProofOrganization['things'] => ({
  organization: [orgId],
  user: people.map(({ id }) => id),
  role: [],
  invitation: [],
  invitationToken: [],
  principal: [],
  client: [],
  pat: [],
  session: [],
  secret: [],
  rule: [],
  policy: [],
  exemption: [],
  scan: [],
  schedule: [],
  slug: [slug],
  email: people.map(({ email }) => email),
  message: [],
  attachment: [],
  notification: [],
  plugin: [],
  pluginName: [],
  build: [],
  pipeline: [],
  template: [],
  subscription: [],
  invoice: [],
  alert: [],
})
