/**
 * Who comes in, over HTTP, against a model of its own: two companies with proven domains, squatters, members, people whom a
 * directory or a provider made, strangers' subjects. The model is written from the guide, and knows no table of the server.
 */
import { confirmed, enrol } from '../../test/support/organizations.js'
import { type Answer, PASSWORD, type SignedIn, signIn, verifyAddress } from '../../test/support/sign-in.js'
import type { Random } from '../world/random.js'
import type { Company, Place } from './place.js'

interface Account {
  readonly userId: string
  /** Null once it lost its address to the person whose it is. */
  email: string | null
  isVerified: boolean
  /** It has a password, and an organization of its own. */
  readonly isOwn: boolean
}

type Expected =
  | { readonly kind: 'in'; readonly account: Account }
  | { readonly kind: 'new' }
  | { readonly kind: 'confirm' | 'refused' }

const NAMES = ['ada', 'bob', 'cyd', 'dan']
const SUBJECTS = ['s-ada', 's-bob', 's-cyd', 's-eve', 'S-ada']

export class ComersModel {
  readonly failures: string[] = []
  readonly #accounts: Account[] = []
  /** By company and account. */
  readonly #memberships = new Map<string, boolean>()
  /** By company and subject. */
  readonly #links = new Map<string, Account>()
  /** Whom the directory of a company has made or taken up. */
  readonly #provisioned = new Set<string>()
  readonly #refusals = new Set<string>()
  readonly #place: Place
  readonly #companies: readonly Company[]
  readonly #random: Random
  readonly #world: string
  #registered = 0

  constructor(place: Place, companies: readonly Company[], random: Random, world: string) {
    this.#place = place
    this.#companies = companies
    this.#random = random
    this.#world = world
  }

  async step(): Promise<void> {
    const acts = [
      this.#comes,
      this.#comes,
      this.#comes,
      this.#registers,
      this.#proves,
      this.#joins,
      this.#leaves,
      this.#made,
    ]
    await this.#random.pick(acts).call(this)
  }

  #fail(what: string, answer?: Answer | { status: number; body: unknown }): void {
    const said = answer === undefined ? '' : `: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`
    this.failures.push(`${this.#world}: ${what}${said}`)
  }

  #address(): { readonly email: string; readonly company: Company | null } {
    const company = this.#random.below(4) === 0 ? null : this.#random.pick(this.#companies)
    return { email: `${this.#random.pick(NAMES)}@${company?.domain ?? `elsewhere-${this.#world}.test`}`, company }
  }

  #of(email: string): Account | undefined {
    return this.#accounts.find((each) => each.email === email)
  }

  /** Anybody opens an account with any address. */
  async #registers(): Promise<void> {
    const { email } = this.#address()
    const username = `p${this.#world}-${this.#registered++}`
    const body = { username, email, password: PASSWORD, organizationName: username }
    const answer = await this.#place.app.call('POST', '/auth/register', { body })
    if (this.#of(email) !== undefined) {
      if (answer.status === 201) this.#fail(`${email} was registered twice`, answer)
      return
    }
    if (answer.status !== 201) return this.#fail(`${email} was not registered`, answer)
    this.#accounts.push({ userId: answer.data.user.id, email, isVerified: false, isOwn: true })
  }

  async #proves(): Promise<void> {
    const open = this.#accounts.filter((each) => !each.isVerified && each.email !== null)
    if (open.length === 0) return
    const account = this.#random.pick(open)
    await verifyAddress(this.#place.app, account.userId)
    account.isVerified = true
  }

  /** By an invitation, whatever the address. */
  async #joins(): Promise<void> {
    const company = this.#random.pick(this.#companies)
    const outside = this.#accounts.filter((each) => !this.#memberships.has(`${company.orgId} ${each.userId}`))
    if (outside.length === 0) return
    const account = this.#random.pick(outside)
    await enrol(this.#place.app, { userId: account.userId } as SignedIn, company.orgId)
    this.#memberships.set(`${company.orgId} ${account.userId}`, true)
  }

  /** An administrator deactivates a member, or activates them. */
  async #leaves(): Promise<void> {
    const company = this.#random.pick(this.#companies)
    const members = this.#accounts.filter((each) => this.#memberships.has(`${company.orgId} ${each.userId}`))
    if (members.length === 0) return
    const { userId } = this.#random.pick(members)
    const key = `${company.orgId} ${userId}`
    const isActive = this.#memberships.get(key) !== true
    const path = `/organization/${company.orgId}/members/${userId}/${isActive ? 'activate' : 'deactivate'}`
    const answer = await confirmed(this.#place.app, 'PATCH', path, { as: company.admin })
    if (answer.status !== 200) return this.#fail('a member is not changed', answer)
    this.#memberships.set(key, isActive)
  }

  /** The directory sends a user. */
  async #made(): Promise<void> {
    const company = this.#random.pick(this.#companies)
    const { email, company: of } = this.#address()
    const answer = await company.call('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
    })
    const account = this.#of(email)
    const key = `${company.orgId} ${account?.userId}`
    if (of !== company) {
      if (answer.status !== 400) this.#fail(`${email} of another domain was made`, answer)
      return
    }
    const isMember = this.#memberships.has(key)
    const isOthers = account?.isVerified === true && !isMember && account.isOwn
    if (isOthers || this.#provisioned.has(key) || this.#provisioned.has(`${company.orgId} ${email}`)) {
      if (answer.status !== 409) this.#fail(`${email} was pulled in`, answer)
      return
    }
    if (answer.status !== 201) return this.#fail(`${email} was not made`, answer)
    const there = account?.isVerified === true ? account : await this.#newcomer(company, email, account)
    if (there === null) return
    this.#memberships.set(`${company.orgId} ${there.userId}`, true)
    this.#provisioned.add(`${company.orgId} ${there.userId}`).add(`${company.orgId} ${email}`)
  }

  /** Who has the address now; who had it without a proof has it no longer. */
  async #newcomer(company: Company, email: string, before: Account | undefined): Promise<Account | null> {
    const { data } = await this.#place.app.call(
      'GET',
      `/organization/${company.orgId}/members?limit=100&search=${email}`,
      {
        as: company.admin,
      },
    )
    const found = (data.members as { id: string; email: string }[]).find((each) => each.email === email)
    if (found === undefined || found.id === before?.userId) {
      this.#fail(`${email} is not the newcomer's`)
      return null
    }
    if (before !== undefined) before.email = null
    const account: Account = { userId: found.id, email, isVerified: true, isOwn: false }
    this.#accounts.push(account)
    return account
  }

  #expected(company: Company, sub: string, email: string, of: Company | null, isVerified: boolean): Expected {
    const linked = this.#links.get(`${company.orgId} ${sub}`)
    const isActive = (account: Account) => this.#memberships.get(`${company.orgId} ${account.userId}`)
    if (!isVerified) return { kind: 'refused' }
    if (linked !== undefined) return isActive(linked) === true ? { kind: 'in', account: linked } : { kind: 'refused' }
    if (of !== company) return { kind: 'refused' }
    const account = this.#of(email)
    if (account === undefined || !account.isVerified) return { kind: 'new' }
    const isLinked = [...this.#links].some(([key, each]) => key.startsWith(company.orgId) && each === account)
    if (isLinked) return { kind: 'refused' }
    const active = isActive(account)
    if (active === undefined) return { kind: 'confirm' }
    return active ? { kind: 'in', account } : { kind: 'refused' }
  }

  async #comes(): Promise<void> {
    const company = this.#random.pick(this.#companies)
    const sub = this.#random.pick(SUBJECTS)
    const { email, company: of } = this.#address()
    const email_verified = this.#random.pick([true, true, true, true, false, 'true', 1])
    const expected = this.#expected(company, sub, email, of, email_verified === true)
    const { back } = await company.away({ sub, email, email_verified })
    const answer = await back()
    const what = `${sub} with ${email} (${email_verified}) at ${company.domain}, expected ${expected.kind}`
    if (expected.kind === 'refused') return this.#refused(what, answer)
    if (expected.kind === 'confirm') {
      if (answer.data?.kind !== 'confirm') this.#fail(what, answer)
      return
    }
    if (answer.data?.kind !== 'session') return this.#fail(what, answer)
    const before = this.#of(email)
    const account = expected.kind === 'in' ? expected.account : await this.#newcomer(company, email, before)
    if (account === null) return
    const { user, accessToken } = answer.data.tokens
    if (user.id !== account.userId) this.#fail(`${what}: came as another person`, answer)
    this.#links.set(`${company.orgId} ${sub}`, account)
    this.#memberships.set(`${company.orgId} ${account.userId}`, true)
    await this.#confined(company, accessToken)
  }

  /** Every refusal says the same. */
  #refused(what: string, answer: Answer): void {
    if (answer.status !== 403 || answer.code !== 'SSO_REFUSED') {
      this.#fail(what, answer)
      return
    }
    const { requestId: _, ...said } = answer.body as Record<string, unknown>
    this.#refusals.add(JSON.stringify(said))
    if (this.#refusals.size > 1) this.#fail(`refusals differ: ${[...this.#refusals].join(' ')}`)
  }

  /** The session shows no byte of another organization, the person's own ones included. */
  async #confined(company: Company, accessToken: string): Promise<void> {
    const { app } = this.#place
    const me = await app.call('GET', '/auth/me', { as: { accessToken } })
    const shown = (me.data.memberships as { organizationId: string }[]).map((each) => each.organizationId)
    if (shown.some((id) => id !== company.orgId)) this.#fail('a confined session shows another organization', me)
    for (const other of this.#companies.filter((each) => each !== company)) {
      const answer = await app.call('GET', `/organization/${other.orgId}`, { as: { accessToken } })
      if (answer.status === 200) this.#fail('a confined session reads another organization', answer)
    }
  }

  /** The members of both companies are those of the model. */
  async compare(): Promise<void> {
    for (const { orgId, admin, domain } of this.#companies) {
      const as = await signIn(this.#place.app, admin.username)
      const { data } = await this.#place.app.call('GET', `/organization/${orgId}/members?limit=100`, { as })
      const members = data.members as { id: string; isActive: boolean }[]
      const there = members.filter(({ id }) => id !== admin.userId).map(({ id, isActive }) => `${id} ${isActive}`)
      const expected = [...this.#memberships]
        .filter(([key]) => key.startsWith(orgId))
        .map(([key, isActive]) => `${key.split(' ')[1]} ${isActive}`)
      if (there.sort().join() !== expected.sort().join())
        this.#fail(`members of ${domain}: ${there} instead of ${expected}`)
    }
  }
}
