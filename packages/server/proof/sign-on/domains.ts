/**
 * Who holds a domain, over a name server that lies and a clock in leaps, against a model of its own: it keeps every look, and
 * computes from all of them what holds. The model is written from the guide, and knows no table of the server.
 */
import { DAY_MS, HOUR_MS } from '../../src/runtime/clock.js'
import type { Store } from '../../src/runtime/store/db.js'
import { resolverPort, txtResolver } from '../../src/sso/dns/resolve.js'
import { confirmed } from '../../test/support/organizations.js'
import { type Answer, signIn } from '../../test/support/sign-in.js'
import { runRecheck } from '../../test/support/sso.js'
import type { Random } from '../world/random.js'
import { BEHAVIOURS, type Behaviour, type Meaning } from './dns-behaviours.js'
import { type LyingServer, lyingServer } from './name-server.js'
import { type Company, openPlace, type Place } from './place.js'

const GRACE_MS = 72 * HOUR_MS
const LEAPS_MS = [HOUR_MS, 5 * HOUR_MS, 25 * HOUR_MS, 71 * HOUR_MS, 73 * HOUR_MS, 200 * DAY_MS]
/** A name server that does not answer is waited for so long, instead of three seconds twice. */
const PATIENCE = { tryMs: 60, tries: 1 }

interface Look {
  readonly atMs: number
  readonly means: Exclude<Meaning, 'silent'>
}

/** A domain of a company, with every look that was answered since it was added. */
interface Claim {
  readonly company: Company
  readonly domain: string
  readonly id: string
  readonly value: string
  readonly looks: Look[]
}

const isProved = ({ looks }: Claim): boolean => looks.some(({ means }) => means === 'there')

/** The earliest instant of all answers without the record since the last one with it. */
function missingSince({ looks }: Claim): number | null {
  const last = looks.findLastIndex(({ means }) => means === 'there')
  const gone = looks.slice(last + 1)
  return last < 0 || gone.length === 0 ? null : Math.min(...gone.map(({ atMs }) => atMs))
}

const admitsAt = (claim: Claim, nowMs: number): boolean => {
  const since = missingSince(claim)
  return isProved(claim) && (since === null || Math.abs(nowMs - since) < GRACE_MS)
}

class DomainsModel {
  readonly failures: string[] = []
  readonly #claims: Claim[] = []
  readonly #holders = new Map<string, Claim>()
  readonly #told = new Map<string, { readonly behaviour: Behaviour; readonly of: readonly Claim[] }>()
  readonly #place: Place
  readonly #server: LyingServer
  readonly #companies: readonly Company[]
  readonly #names: readonly string[]
  readonly #random: Random
  readonly #earliestMs: number
  #people = 0

  constructor(
    place: Place,
    server: LyingServer,
    companies: readonly Company[],
    names: readonly string[],
    random: Random,
  ) {
    this.#place = place
    this.#server = server
    this.#companies = companies
    this.#names = names
    this.#random = random
    this.#earliestMs = place.app.clock.now()
  }

  async step(): Promise<void> {
    const acts = [
      this.#tells,
      this.#tells,
      this.#leaps,
      this.#looks,
      this.#looks,
      this.#sweeps,
      this.#comes,
      this.#comes,
      this.#drops,
    ]
    await this.#random.pick(acts).call(this)
    await this.#compare()
  }

  get #nowMs(): number {
    return this.#place.app.clock.now()
  }

  #fail(what: string, answer?: Answer): void {
    const said = answer === undefined ? '' : `: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`
    this.failures.push(`${what}${said}`)
  }

  /** The clock leaps, so a session of before is of no use. */
  #call = async ({ admin }: Company, method: string, path: string): Promise<Answer> => {
    const as = await signIn(this.#place.app, admin.username)
    return this.#place.app.call(method, `/organization/${admin.orgId}${path}`, { as })
  }

  async #added(company: Company, domain: string): Promise<Claim> {
    const { app } = this.#place
    const as = { ...company.admin, ...(await signIn(app, company.admin.username)) }
    const answer = await confirmed(app, 'POST', `/organization/${as.orgId}/domains`, { as, body: { domain } })
    if (answer.status !== 201) throw new Error(`domain: ${JSON.stringify(answer.body)}`)
    const { id, record } = answer.data.domain
    const claim: Claim = { company, domain, id, value: record.value, looks: [] }
    this.#claims.push(claim)
    return claim
  }

  async #claimOf(company: Company, domain: string): Promise<Claim> {
    const claim = this.#claims.find((each) => each.company === company && each.domain === domain)
    return claim ?? this.#added(company, domain)
  }

  /** The name server says something else from now on, of the values of some companies. */
  async #tells(): Promise<void> {
    const domain = this.#random.pick(this.#names)
    const behaviour = this.#random.pick(BEHAVIOURS)
    const first = this.#random.pick(this.#companies)
    const others = this.#companies.filter((each) => each !== first && this.#random.below(4) === 0)
    const of = await Promise.all([first, ...others].map((company) => this.#claimOf(company, domain)))
    const values = of.map(({ value }) => value)
    this.#server.tell(`_plumbline-challenge.${domain}`, behaviour.lie(values), behaviour.overTcp?.(values))
    this.#told.set(domain, { behaviour, of })
  }

  async #leaps(): Promise<void> {
    const byMs = this.#random.pick(LEAPS_MS) * this.#random.pick([1, 1, 1, -1])
    this.#place.app.clock.set(Math.max(this.#earliestMs, this.#nowMs + byMs))
  }

  #meaning(claim: Claim): Meaning {
    const told = this.#told.get(claim.domain)
    if (told === undefined) return 'silent'
    if (told.behaviour.means !== 'there') return told.behaviour.means
    return told.of.some(({ id }) => id === claim.id) ? 'there' : 'gone'
  }

  /** An answer is kept, and moves the domain to who proves it. @returns whether somebody else still proves it. */
  #keeps(claim: Claim, means: Exclude<Meaning, 'silent'>): boolean {
    const holder = this.#holders.get(claim.domain)
    if (means === 'there' && holder !== claim) {
      if (holder !== undefined && admitsAt(holder, this.#nowMs)) return false
      this.#holders.set(claim.domain, claim)
    }
    claim.looks.push({ atMs: this.#nowMs, means })
    return true
  }

  async #looks(): Promise<void> {
    const claim = await this.#claimOf(this.#random.pick(this.#companies), this.#random.pick(this.#names))
    const means = this.#meaning(claim)
    const answer = await this.#call(claim.company, 'POST', `/domains/${claim.id}/verify`)
    const what = `${claim.domain}: "${this.#told.get(claim.domain)?.behaviour.name}" to a look`
    if (means === 'silent') {
      if (answer.code !== 'UPSTREAM_TIMEOUT') this.#fail(what, answer)
    } else if (this.#keeps(claim, means)) {
      if (answer.status !== 200) this.#fail(what, answer)
    } else if (answer.code !== 'CONFLICT') this.#fail(`${what}, which somebody else proves`, answer)
  }

  /** Once a day each holder is looked at, and one whose record is gone is told once. */
  async #sweeps(): Promise<void> {
    const lost: string[] = []
    for (const claim of this.#holders.values()) {
      const seenMs = claim.looks.at(-1)?.atMs ?? 0
      const means = this.#meaning(claim)
      const isDue = this.#nowMs - seenMs > DAY_MS || seenMs > this.#nowMs
      if (!isDue || means === 'silent') continue
      const isNew = missingSince(claim) === null && means === 'gone'
      this.#keeps(claim, means)
      if (isNew) lost.push(claim.domain)
    }
    const told = (await runRecheck(this.#place.app)).filter((domain) => this.#names.includes(domain))
    if (told.sort().join() !== lost.sort().join()) this.#fail(`a sweep tells of ${told}, expected ${lost}`)
  }

  /** Somebody whom nobody has seen comes by a provider. */
  async #comes(): Promise<void> {
    const company = this.#random.pick(this.#companies)
    const domain = this.#random.pick(this.#names)
    const holder = this.#holders.get(domain)
    const isIn = holder !== undefined && holder.company === company && admitsAt(holder, this.#nowMs)
    const sub = `p-${this.#people++}`
    const { back } = await company.away({ sub, email: `${sub}@${domain}`, email_verified: true })
    const answer = await back()
    if (isIn !== (answer.data?.kind === 'session')) {
      this.#fail(`${sub}@${domain} comes to ${company.domain}, expected ${isIn ? 'in' : 'refused'}`, answer)
    } else if (!isIn && answer.code !== 'SSO_REFUSED') this.#fail(`${sub}@${domain} is not refused`, answer)
  }

  /** A domain that is deleted, and added again later, begins from nothing with another value. */
  async #drops(): Promise<void> {
    if (this.#claims.length === 0 || this.#random.below(3) > 0) return
    const claim = this.#random.pick(this.#claims)
    const as = { ...claim.company.admin, ...(await signIn(this.#place.app, claim.company.admin.username)) }
    const answer = await confirmed(this.#place.app, 'DELETE', `/organization/${as.orgId}/domains/${claim.id}`, { as })
    if (answer.status !== 204) return this.#fail(`${claim.domain} is not deleted`, answer)
    this.#claims.splice(this.#claims.indexOf(claim), 1)
    if (this.#holders.get(claim.domain) === claim) this.#holders.delete(claim.domain)
  }

  #status(claim: Claim): string {
    if (!isProved(claim)) return 'pending'
    if (this.#holders.get(claim.domain) !== claim || !admitsAt(claim, this.#nowMs)) return 'lost'
    return missingSince(claim) === null ? 'verified' : 'missing'
  }

  async #compare(): Promise<void> {
    for (const company of this.#companies) {
      const { data } = await this.#call(company, 'GET', '/domains')
      const shown = (data.domains as { id: string; domain: string; status: string }[])
        .filter(({ domain }) => this.#names.includes(domain))
        .map(({ id, status }) => `${id} ${status}`)
      const expected = this.#claims
        .filter((claim) => claim.company === company)
        .map((claim) => `${claim.id} ${this.#status(claim)}`)
      if (shown.sort().join() !== expected.sort().join()) {
        this.#fail(`domains of ${company.domain}: ${shown} instead of ${expected}`)
      }
    }
  }
}

const STEPS = 40
const COMPANIES = 3

/** Where the clock begins: far from now, since nothing else may move it, and it leaps back. */
const AHEAD_MS = 1000 * DAY_MS

/** Worlds of 40 steps each, until there were so many steps. @returns what did not hold. */
export async function domainsOver(store: Store, runs: number, random: Random): Promise<string[]> {
  if (runs === 0) return []
  const failures: string[] = []
  const server = await lyingServer()
  const place = await openPlace(store, { seats: 10_000, startMs: Date.now() + AHEAD_MS })
  const honest = place.app.ports.find(resolverPort)
  const beganMs = place.app.clock.now()
  for (let done = 0; done < runs; done += STEPS) {
    const world = done / STEPS
    const companies: Company[] = []
    place.app.ports.set(resolverPort, honest)
    for (let n = 0; n < COMPANIES; n++) companies.push(await place.company(`own-${world}-${n}`))
    place.app.ports.set(resolverPort, txtResolver([server.address], PATIENCE))
    const names = [`one-${world}.test`, `two-${world}.test`, `sub.two-${world}.test`]
    const model = new DomainsModel(place, server, companies, names, random)
    for (let n = 0; n < Math.min(STEPS, runs - done) && model.failures.length === 0; n++) await model.step()
    failures.push(...model.failures.map((failure) => `domains, world ${world}: ${failure}`))
    place.app.clock.set(beganMs)
  }
  failures.push(...place.app.errors.map(String))
  await Promise.all([place.close(), server.close()])
  return failures
}
