/** A world of organizations, people and credentials: made through the product, and kept beside it as the oracle needs it. */
import { eq } from 'drizzle-orm'
import { identityTables } from '../../src/identity/tables.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { began, came, withProvider } from '../../test/support/oidc.js'
import { confirmed, enrol, giveCustomRole, superAdmin } from '../../test/support/organizations.js'
import { pluginZip, uploadZip } from '../../test/support/plugins.js'
import { PASSWORD, type SignedIn, signIn, signUp, verifyAddress } from '../../test/support/sign-in.js'
import { provenDomain } from '../../test/support/sso.js'
import {
  basic,
  type Credential,
  type Membership,
  type Organization,
  type Person,
  type PersonalToken,
  type Plugin,
  type Service,
} from './model.js'
import type { Place } from './server.js'

const YEAR_S = 365 * 86_400
const ROOTS = 4

export class World {
  readonly place: Place
  readonly organizations = new Map<string, Organization>()
  readonly people: Person[] = []
  readonly credentials: Credential[] = []
  isPushHeld = false
  readonly #signedIn = new Map<Person, SignedIn>()
  #named = 0

  constructor(place: Place) {
    this.place = place
  }

  get nowMs(): number {
    return this.place.app.clock.now()
  }

  /** A session of the person that is good now. */
  async session(person: Person): Promise<SignedIn> {
    const { app } = this.place
    const known = this.#signedIn.get(person) as SignedIn
    if ((await app.call('GET', '/auth/me', { as: known })).status === 200) return known
    const fresh = { ...known, ...(await signIn(app, person.name)) }
    this.#signedIn.set(person, fresh)
    return fresh
  }

  /** A call by the person, with a confirmation of identity. @throws Error unless it succeeds. */
  async act(person: Person, method: string, path: string, body?: unknown, org?: Organization) {
    const as = await this.session(person)
    const headers: Record<string, string> = org === undefined ? {} : { 'x-org-id': org.id }
    const sent = { as, headers, ...(body === undefined ? {} : { body }) }
    const answer = await confirmed(this.place.app, method, path, sent)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.data
  }

  name(what: string): string {
    this.#named += 1
    return `${what}-${this.#named}`
  }

  async person(what: string): Promise<Person> {
    const person = this.#known(await signUp(this.place.app, this.name(what)))
    // Only who has a verified address administers the system.
    await verifyAddress(this.place.app, person.id)
    return person
  }

  async systemAdministrator(): Promise<Person> {
    const person = this.#known(await superAdmin(this.place.app, this.name('admin')))
    person.isSuperAdmin = true
    return person
  }

  #known(as: SignedIn): Person {
    const person: Person = {
      ...{ id: as.userId, name: as.username, isActive: true, isSuperAdmin: false, memberships: new Map() },
    }
    this.#signedIn.set(person, as)
    this.people.push(person)
    return person
  }

  /** The organization that the person's registration made. */
  root(owner: Person): Organization {
    const { orgId } = this.#signedIn.get(owner) as SignedIn
    return this.#organization(orgId, null, owner)
  }

  async team(parent: Organization): Promise<Organization> {
    const { owner } = parent
    const body = { name: this.name('team'), parentOrgId: parent.id }
    const { organization } = await this.act(owner, 'POST', '/organization', body, parent)
    return this.#organization(organization.id, parent, owner)
  }

  #organization(id: string, parent: Organization | null, owner: Person): Organization {
    const org: Organization = {
      ...{ id, parent, owner, name: parent === null ? `org of ${owner.name}` : `team of ${owner.name}` },
      ...{ isDeleted: false, isFull: false, plugins: new Map() },
    }
    this.organizations.set(id, org)
    owner.memberships.set(id, { isActive: true, levels: new Set(['admin']), custom: null })
    return org
  }

  /** The organization of the system administrators. */
  system(owner: Person): Organization {
    const org = this.#organization(SYSTEM_ORG_ID, null, owner)
    return org
  }

  async join(
    person: Person,
    org: Organization,
    levels: readonly ('Admin' | 'Member')[],
    permissions?: readonly string[],
  ) {
    const { app } = this.place
    await enrol(app, this.#signedIn.get(person) as SignedIn, org.id, levels)
    const roleId = permissions === undefined ? null : await giveCustomRole(app, org.id, person.id, permissions)
    const membership: Membership = {
      isActive: true,
      levels: new Set(levels.map((level) => level.toLowerCase() as 'admin' | 'member')),
      custom: roleId === null ? null : { roleId, permissions: permissions ?? [] },
    }
    person.memberships.set(org.id, membership)
  }

  async token(
    person: Person,
    org: Organization,
    permissions?: readonly string[],
    seconds = YEAR_S,
  ): Promise<PersonalToken> {
    const body = {
      name: this.name('t'),
      organizationId: org.id,
      expiresIn: seconds,
      ...(permissions && { permissions }),
    }
    const made = await this.act(person, 'POST', '/auth/pats', body)
    return this.#keep(made, { person, org, permissions: permissions ?? null, expiresAtMs: this.nowMs + seconds * 1000 })
  }

  /** Null for a person who has no place in the organization, or many tokens. */
  async tokenIfGiven(person: Person, org: Organization, seconds = YEAR_S): Promise<PersonalToken | null> {
    try {
      return await this.token(person, org, undefined, seconds)
    } catch (error) {
      if (/"code":"(?:ORG_MISMATCH|CONFLICT)"/.test(String(error))) return null
      throw error
    }
  }

  #keep(
    made: { readonly token: string; readonly pat: { readonly id: string } },
    facts: Pick<PersonalToken, 'person' | 'org' | 'permissions' | 'expiresAtMs'>,
  ): PersonalToken {
    const token = { kind: 'personal token', id: made.pat.id, secret: made.token, isRevoked: false, ...facts } as const
    this.credentials.push(token)
    return token
  }

  /** A token that a person makes in a session by the identity provider of the organization: it holds what a member does. */
  async tokenByProvider(person: Person, org: Organization, domain: string, idpId: string, asMember: readonly string[]) {
    const { app, provider } = this.place
    const { url, cookie, state } = await began(app, org.id)
    const nonce = url.searchParams.get('nonce') ?? ''
    provider.say = ({ sign }) => sign({ sub: person.name, email: `${person.name}@${domain}`, nonce })
    const back = await came(app, idpId, cookie, { state, code: 'c', iss: provider.issuer })
    if (back.data?.kind !== 'session') throw new Error(`sign-on: ${JSON.stringify(back.body)}`)
    const as = { accessToken: back.data.tokens.accessToken as string }
    const proof = await app.call('POST', '/auth/step-up', { as, body: { method: 'password', password: PASSWORD } })
    const headers = { 'x-step-up-token': String(proof.data.stepUpToken) }
    const body = { name: this.name('t'), organizationId: org.id, expiresIn: YEAR_S }
    const made = await app.call('POST', '/auth/pats', { as, body, headers })
    if (made.status !== 201) throw new Error(`token: ${JSON.stringify(made.body)}`)
    const { permissions } = made.data.pat as { readonly permissions: readonly string[] | null }
    const held = person.isSuperAdmin ? asMember : permissions
    this.#keep(made.data, { person, org, permissions: held, expiresAtMs: this.nowMs + YEAR_S * 1000 })
    this.credentials.push({ kind: 'wrong', what: 'a session by a provider', authorization: basic('x', as.accessToken) })
  }

  async service(
    by: Person,
    org: Organization | null,
    scopes: readonly string[],
    includeTeams = false,
  ): Promise<Service> {
    const body = { name: this.name('s'), scopes, expiresIn: YEAR_S, ...(includeTeams && { includeTeams }) }
    const made = await this.act(by, 'POST', `/organization/${org?.id ?? SYSTEM_ORG_ID}/service-principals`, body)
    const { id, clientId } = made.servicePrincipal
    const service: Service = {
      ...{ kind: 'service', id, clientId, secret: made.clientSecret, org, scopes, includeTeams },
      ...{ isDisabled: false, isDeleted: false, replacedAtMs: null, expiresAtMs: this.nowMs + YEAR_S * 1000 },
    }
    this.credentials.push(service)
    return service
  }

  async plugin(org: Organization, state: 'private' | 'public' = 'private'): Promise<string> {
    const name = this.name('plugin')
    const as = await this.session(org.owner)
    const headers = { 'x-org-id': org.id }
    const answer = await uploadZip(this.place.app, as, pluginZip({ name }), { accessModifier: state }, { headers })
    if (answer.status >= 300) throw new Error(`upload: ${JSON.stringify(answer.body)}`)
    const id: string = answer.data.pluginId
    org.plugins.set(name, { id, state } satisfies Plugin)
    return name
  }

  /** Gives the person a verified address at the domain. */
  async emailAt(person: Person, domain: string): Promise<void> {
    const { app } = this.place
    const email = `${person.name}@${domain}`
    await app.runtime.store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ email, emailKey: email }).where(eq(users.id, person.id))
    })
    await verifyAddress(app, person.id)
    app.identity.directory.drop({ userId: person.id })
  }

  async provider(org: Organization, domain: string): Promise<string> {
    const { app, provider } = this.place
    const as = await this.session(org.owner)
    await provenDomain(app, as, domain)
    return withProvider(app, as, provider.issuer)
  }
}

export async function buildWorld(place: Place): Promise<World> {
  const world = new World(place)
  const admin = await world.systemAdministrator()
  const system = world.system(admin)
  await world.token(admin, system)
  await world.token(admin, system, ['plugins:read'])
  const roots: Organization[] = []
  for (let n = 0; n < ROOTS; n++) roots.push(await company(world, roots[n - 1] ?? null))
  const [first] = roots as [Organization, ...Organization[]]
  await world.token(admin, first)
  await world.service(admin, null, ['builds:work'])
  await signOn(world, admin, first)
  await wrong(world, first.owner)
  return world
}

/** A root with two teams, people of every kind, and a credential of every kind for each. */
async function company(world: World, neighbour: Organization | null): Promise<Organization> {
  const owner = await world.person('owner')
  const root = world.root(owner)
  const teams = [await world.team(root), await world.team(root)] as const
  for (const org of [root, ...teams]) {
    await world.token(owner, org)
    for (const permissions of [['plugins:read'], ['plugins:write'], ['reports:read']])
      await world.token(owner, org, permissions)
    await world.plugin(org)
    await world.plugin(org, 'public')
    for (const scopes of [['images:pull'], ['images:push'], ['images:pull', 'images:push'], ['plugins:read']])
      await world.service(owner, org, scopes)
  }
  await world.service(owner, root, ['images:pull', 'images:push'], true)
  await world.service(owner, root, ['images:push'], true)
  const people: [string, Organization, ('Admin' | 'Member')[], string[]?][] = [
    ...[root, ...teams].flatMap((org): [string, Organization, ('Admin' | 'Member')[], string[]?][] => [
      ['administrator', org, ['Admin']],
      ['member', org, ['Member']],
      ['reader', org, [], ['plugins:read']],
      ['writer', org, [], ['plugins:write']],
      ['reporter', org, [], ['reports:read']],
      ['idle', org, []],
    ]),
  ]
  for (const [what, org, levels, permissions] of people) {
    const person = await world.person(what)
    await world.join(person, org, levels, permissions)
    await world.token(person, org)
    if (what === 'member') await world.token(person, org, ['plugins:read'])
    if (what === 'administrator' && org === root) for (const team of teams) await world.token(person, team)
    if (what === 'member' && neighbour !== null) {
      await world.join(person, neighbour, ['Member'])
      await world.token(person, neighbour)
    }
  }
  return root
}

/** People who come by the identity provider of the organization, one of whom administers the system. */
async function signOn(world: World, admin: Person, org: Organization): Promise<void> {
  const domain = 'acme.test'
  const idpId = await world.provider(org, domain)
  const member = await world.person('sso')
  for (const person of [admin, member]) await world.emailAt(person, domain)
  await world.join(member, org, ['Member'])
  await world.join(admin, org, [], ['plugins:read'])
  await world.tokenByProvider(member, org, domain, idpId, [])
  await world.tokenByProvider(admin, org, domain, idpId, ['plugins:read'])
}

/** What the token service is sent, and takes from nobody. */
async function wrong(world: World, owner: Person): Promise<void> {
  const session = await world.session(owner)
  const good = world.credentials.find(
    (each): each is PersonalToken => each.kind === 'personal token' && each.person === owner,
  )
  const service = world.credentials.find((each): each is Service => each.kind === 'service' && each.org !== null)
  const { secret = '' } = good ?? {}
  const forged: [string, string | null][] = [
    ['nothing', null],
    ['a password', basic(owner.name, PASSWORD)],
    ['an access token', basic('x', session.accessToken)],
    ['a refresh token', basic('x', session.refreshToken)],
    ['a token as a bearer', `Bearer ${secret}`],
    ['a token with another end', basic('x', `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`)],
    ['a token that is cut', basic('x', secret.slice(0, -1))],
    ['a token as the name', basic(secret, '')],
    ['a token that nobody has', basic('x', `plp_${'A'.repeat(43)}`)],
    ['a secret under another name', basic('x', service?.secret ?? '')],
    ['a secret that nobody has', basic(service?.clientId ?? '', `plk_${'A'.repeat(43)}`)],
    ['no Base64', 'Basic !'],
    ['no colon', `Basic ${Buffer.from('x').toString('base64')}`],
    ['a NUL', basic('x', 'plp_\0')],
  ]
  for (const [what, authorization] of forged) world.credentials.push({ kind: 'wrong', what, authorization })
}
