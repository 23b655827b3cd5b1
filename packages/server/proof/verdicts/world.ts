/**
 * Organizations, rules, policies, subscriptions and exemptions that change by requests alone. What a request is answered is what
 * the model takes over: a change that was refused must not have happened, one that was made must hold from then on.
 */
import type { Random } from '../../../engine/proof/random.js'
import type { EntityKey } from '../../../engine/src/types.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { PROPS } from '../../test/support/pipelines.js'
import { baseEntity, laterOrNever, ruleParts } from './generate.js'
import {
  EXEMPTION_REASON,
  endExpired,
  isOpenAt,
  type Mode,
  type Model,
  type ModelExemption,
  type ModelOrg,
  type ModelRule,
  type Target,
} from './model.js'
import type { Answer, Person, Replicas } from './server.js'

const RULES_OF_ORG_MAX = 6
const PUBLISHED_MAX = 6
const MODES: readonly Mode[] = ['enforce', 'enforce', 'enforce', 'warn', 'observe']

export interface Entities {
  readonly ids: Readonly<Record<Target, readonly string[]>>
  /** The stored pipeline of each organization, all with one key: it leads to the id, and the name does not. */
  readonly stored: ReadonlyMap<string, { readonly id: string; readonly name: string }>
}

/** Keys that records are checked under and exemptions name, each written in a way of its own. */
export const KEYS: Readonly<Record<Target, readonly EntityKey[]>> = {
  plugin: [
    { name: 'web', version: '1.0.0' },
    { name: 'web', version: '2.0.0' },
    { name: 'web', version: '*' },
    { name: 'shop', version: '1.0.0' },
  ],
  pipeline: [
    { project: 'Shop', organization: 'acme' },
    { project: 'my app', organization: 'ACME' },
    { project: 'My-App', organization: 'Acme' },
  ],
}

export class World {
  readonly model: Model = { orgs: [], rules: [], policies: [], subscriptions: [], exemptions: [] }
  readonly base: Record<string, unknown>
  readonly history: string[] = []
  readonly #random: Random
  readonly #replicas: Replicas
  readonly #number: number
  readonly #owners = new Map<string, Person>()
  readonly #stored = new Map<string, { id: string; name: string }>()
  readonly #ids: Record<Target, string[]>
  #names = 0

  constructor(replicas: Replicas, random: Random, number: number) {
    this.#replicas = replicas
    this.#random = random
    this.#number = number
    this.base = baseEntity(random)
    const id = (at: number) => `0000000${at}-0000-7000-8000-${String(number).padStart(12, '0')}`
    this.#ids = { plugin: [id(1), id(2)], pipeline: [id(2), id(3)] }
  }

  get entities(): Entities {
    return { ids: this.#ids, stored: this.#stored }
  }

  /** Two roots, the first with two teams, the other with one; each with a stored pipeline. */
  async build(): Promise<void> {
    const system = { id: SYSTEM_ORG_ID, parentId: null, isSystem: true }
    this.model.orgs.push(system)
    for (const [name, teams] of [
      ['ann', 2],
      ['bob', 1],
    ] as const) {
      const person = await this.#replicas.signUp(`${name}${this.#number}`)
      this.#add(person, person.orgId, null)
      for (let at = 0; at < teams; at++) {
        const body = { name: `${name}${this.#number} team ${at}`, parentOrgId: person.orgId }
        const made = await this.#replicas.call(0, { as: person, org: person.orgId }, 'POST', '/organization', body)
        if (made.status !== 201) throw new Error(made.text)
        this.#add(person, made.data.organization.id, person.orgId)
      }
    }
    for (const org of this.tenants) {
      const name = `shop ${org.id}`
      const body = { project: 'shop', organization: 'Acme', pipelineName: name, props: PROPS }
      const made = await this.call(org, 'POST', '/pipelines', body)
      if (made.status !== 201) throw new Error(made.text)
      this.#stored.set(org.id, { id: made.data.pipeline.id, name })
    }
  }

  get tenants(): ModelOrg[] {
    return this.model.orgs.filter(({ isSystem }) => !isSystem)
  }

  #add(person: Person, id: string, parentId: string | null): void {
    this.model.orgs.push({ id, parentId, isSystem: false })
    this.#owners.set(id, person)
  }

  ownerOf = (org: ModelOrg): Person => this.#owners.get(org.id) ?? this.#replicas.root

  call(
    org: ModelOrg,
    method: string,
    path: string,
    body?: unknown,
    as = this.ownerOf(org),
    stepUp = false,
  ): Promise<Answer> {
    return this.#replicas.call(this.#random.below(2), { as, org: org.id, stepUp }, method, path, body)
  }

  async #ask(
    org: ModelOrg,
    method: string,
    path: string,
    body?: unknown,
    more: { as?: Person; stepUp?: boolean } = {},
  ) {
    const answer = await this.call(org, method, `/compliance${path}`, body, more.as ?? this.ownerOf(org), more.stepUp)
    this.history.push(`${org.id} ${method} ${path} ${JSON.stringify(body) ?? ''} -> ${answer.status}`)
    return answer
  }

  /** One change, or an attempt at one. */
  async change(): Promise<void> {
    const random = this.#random
    const kind = random.below(100)
    if (kind < 22) await this.#createRule()
    else if (kind < 34) await this.#updateRule()
    else if (kind < 38) await this.#deleteOrRestoreRule()
    else if (kind < 46) await this.#subscribe()
    else if (kind < 64) await this.#changeSubscription()
    else if (kind < 76) await this.#changePolicy()
    else if (kind < 86) await this.#request()
    else if (kind < 95) await this.#decide()
    else await this.#deleteOrRestorePolicy()
  }

  // ---- rules

  #rulesOf(orgId: string, isDeleted = false): ModelRule[] {
    return this.model.rules.filter((rule) => rule.orgId === orgId && rule.isDeleted === isDeleted)
  }

  async #createRule(): Promise<void> {
    const random = this.#random
    const isPublished = random.chance(25)
    const org = isPublished ? this.#system : random.pick(this.tenants)
    const own = this.#rulesOf(org.id)
    if (own.length >= (isPublished ? PUBLISHED_MAX : RULES_OF_ORG_MAX)) return this.#deleteOrRestoreRule(org)
    const target: Target = random.chance(75) ? 'plugin' : 'pipeline'
    const body: Record<string, unknown> = { name: this.#name(org), target, ...this.#parts(org, target) }
    if (!isPublished && random.chance(40)) body['propagateToChildren'] = true
    const mode = random.pick(MODES)
    const sent = { ...body, ...(isPublished ? { scope: 'published' } : { mode }) }
    const answer = await this.#ask(org, 'POST', '/rules', sent)
    if (answer.status !== 201) return
    const { id, version } = answer.data.rule
    this.#resolveNames(org, body)
    this.model.rules.push({
      ...{ id, orgId: org.id, scope: isPublished ? 'published' : 'org', body, version },
      mode: isPublished ? 'enforce' : mode,
      versions: new Map([[version, { ...body }]]),
      isDeleted: false,
    })
  }

  /** 1.3: a reference that is not an id of a rule in reach is the name of one, and its id is what is stored. */
  #resolveNames(org: ModelOrg, body: Record<string, unknown>): void {
    const reached = this.model.rules.filter((rule) => {
      const isHandedDown = rule.orgId === org.parentId && rule.body['propagateToChildren'] === true
      return !rule.isDeleted && (rule.orgId === org.id || isHandedDown || rule.scope === 'published')
    })
    const conditions = body['conditions'] as { dependsOnRule?: string }[] | undefined
    body['conditions'] = conditions?.map((entry) => {
      const { dependsOnRule: reference } = entry
      if (reference === undefined || reached.some(({ id }) => id === reference)) return entry
      const named = reached.find((rule) => rule.body['name'] === reference)
      return named === undefined ? entry : { ...entry, dependsOnRule: named.id }
    })
    if (conditions === undefined) delete body['conditions']
  }

  /** Seldom the id of another rule, or a name that is taken. */
  #name(org: ModelOrg): string {
    const random = this.#random
    this.#names += 1
    if (random.chance(4) && this.model.rules.length > 0) return random.pick(this.model.rules).id
    const [first] = this.#rulesOf(org.id)
    if (random.chance(3) && first !== undefined) return String(first.body['name'])
    return `${random.pick(['a', 'B', 'b', 'é', 'z'])}${org.isSystem ? `${this.#number}.` : ''}${this.#names}`
  }

  #parts(org: ModelOrg, target: Target): Record<string, unknown> {
    const references = this.model.rules
      .filter(({ orgId, scope, isDeleted, body }) => {
        const isNear = orgId === org.id || orgId === org.parentId || scope === 'published'
        return isNear && !isDeleted && (body['target'] === target || this.#random.chance(3))
      })
      .map(({ id }) => id)
    return ruleParts(this.#random, { base: this.base, references, nowMs: this.#replicas.clock.now() })
  }

  async #updateRule(): Promise<void> {
    const random = this.#random
    const live = this.model.rules.filter(({ isDeleted }) => !isDeleted)
    if (live.length === 0) return
    const rule = random.pick(live)
    const org = this.#orgOf(rule.orgId)
    const target = rule.body['target'] as Target
    let patch: Record<string, unknown> = random.chance(40) ? this.#parts(org, target) : {}
    if (random.chance(25) || Object.keys(patch).length === 0) patch['severity'] = random.pick(['warning', 'critical'])
    if (random.chance(25)) patch['isActive'] = random.chance(75)
    if (random.chance(20)) patch['name'] = this.#name(org)
    if (!org.isSystem && random.chance(25)) patch['propagateToChildren'] = random.chance(60)
    if (random.chance(5)) patch = { target: target === 'plugin' ? 'pipeline' : 'plugin' }
    const mode = org.isSystem ? rule.mode : random.pick([rule.mode, ...MODES])
    const sent = {
      ...patch,
      ...(mode === rule.mode ? {} : { mode, ...(mode === 'enforce' ? {} : { reason: 'rollout' }) }),
    }
    // Now and then by somebody else's administrator, who finds nothing there.
    const asked = random.chance(5) ? random.pick(this.model.orgs) : org
    const answer = await this.#ask(asked, 'PUT', `/rules/${rule.id}`, sent)
    if (answer.status !== 200) return
    if (asked.id !== rule.orgId) throw new Error(`${asked.id} changed a rule of ${rule.orgId}`)
    this.#resolveNames(org, patch)
    rule.body = { ...rule.body, ...patch }
    rule.mode = mode
    rule.version = answer.data.rule.version
    rule.versions.set(rule.version, { ...rule.body })
  }

  async #deleteOrRestoreRule(of?: ModelOrg): Promise<void> {
    const random = this.#random
    const org = of ?? random.pick(this.model.orgs)
    const gone = this.#rulesOf(org.id, true)
    if (of === undefined && gone.length > 0 && random.chance(50)) {
      const rule = random.pick(gone)
      const verb = random.chance(75) ? 'restore' : 'purge'
      const answer = await this.#ask(org, 'POST', `/rules/${rule.id}/${verb}`, undefined, { stepUp: true })
      if (answer.status !== 200) return
      if (verb === 'purge') this.#forget(rule)
      else {
        rule.isDeleted = false
        rule.version = answer.data.rule.version
        rule.versions.set(rule.version, { ...rule.body })
      }
      return
    }
    const live = this.#rulesOf(org.id)
    if (live.length === 0) return
    const rule = random.pick(live)
    if ((await this.#ask(org, 'DELETE', `/rules/${rule.id}`)).status !== 200) return
    rule.isDeleted = true
    // 9: "rule delete ends it", and a restored rule comes back without.
    for (const each of this.model.exemptions) {
      if (each.ruleId === rule.id && (each.status === 'pending' || each.status === 'approved')) each.status = 'revoked'
    }
  }

  #forget(rule: ModelRule): void {
    const { rules, subscriptions, exemptions, policies } = this.model
    rules.splice(rules.indexOf(rule), 1)
    for (const each of subscriptions) if (each.ruleId === rule.id) each.hasEnded = true
    for (const each of exemptions) if (each.ruleId === rule.id) each.status = 'revoked'
    for (const each of policies) each.ruleIds = each.ruleIds.filter((id) => id !== rule.id)
  }

  // ---- subscriptions

  get #published(): ModelRule[] {
    return this.model.rules.filter(({ scope }) => scope === 'published')
  }

  async #subscribe(): Promise<void> {
    const random = this.#random
    if (this.#published.length === 0) return this.#createRule()
    const org = random.pick(this.tenants)
    const rule = random.chance(95) ? random.pick(this.#published) : random.pick(this.model.rules)
    const answer = await this.#ask(org, 'POST', '/subscriptions', { ruleId: rule.id })
    if (answer.status !== 201) return
    const known = this.model.subscriptions.find((each) => each.orgId === org.id && each.ruleId === rule.id)
    const begun = { isActive: false, pinnedVersion: null, mode: 'enforce' as Mode, hasEnded: false }
    if (known === undefined) this.model.subscriptions.push({ orgId: org.id, ruleId: rule.id, ...begun })
    else Object.assign(known, begun)
    if (random.chance(75)) await this.#switch(org, rule.id, true)
  }

  async #switch(org: ModelOrg, ruleId: string, isActive: boolean): Promise<void> {
    const answer = await this.#ask(org, 'PATCH', `/subscriptions/${ruleId}`, { isActive })
    const known = this.model.subscriptions.find((each) => each.orgId === org.id && each.ruleId === ruleId)
    if (answer.status === 200 && known !== undefined) known.isActive = isActive
  }

  async #changeSubscription(): Promise<void> {
    const random = this.#random
    const mine = this.model.subscriptions.filter(({ ruleId }) => this.model.rules.some(({ id }) => id === ruleId))
    if (mine.length === 0) return this.#subscribe()
    const row = random.pick(mine)
    const org = this.#orgOf(row.orgId)
    const at = `/subscriptions/${row.ruleId}`
    const kind = random.below(7)
    if (kind < 2) await this.#switch(org, row.ruleId, random.chance(70))
    else if (kind === 2) {
      const answer = await this.#ask(org, 'POST', `${at}/pin`)
      if (answer.status === 200) row.pinnedVersion = answer.data.subscription.pinnedVersion
      const now = this.model.rules.find(({ id }) => id === row.ruleId)?.version
      if (answer.status === 200 && row.pinnedVersion !== now) throw new Error(`pinned ${row.pinnedVersion}, not ${now}`)
    } else if (kind === 3) {
      if ((await this.#ask(org, 'DELETE', `${at}/pin`)).status === 200) row.pinnedVersion = null
    } else if (kind === 4) {
      const mode = random.pick(MODES)
      const answer = await this.#ask(org, 'PATCH', at, { mode, reason: 'rollout' })
      if (answer.status === 200) row.mode = mode
    } else if (kind === 5 && random.chance(40)) {
      const answer = await this.#ask(org, 'DELETE', at)
      if (answer.status === 200) Object.assign(row, { hasEnded: true, isActive: false, pinnedVersion: null })
    } else {
      const rows = this.model.subscriptions.filter(({ orgId }) => orgId === org.id)
      const isActive = random.chance(60)
      const body = { ruleIds: rows.map(({ ruleId }) => ruleId), isActive }
      const answer = await this.#ask(org, 'POST', '/subscriptions/bulk', body)
      if (answer.status === 200) for (const each of rows) if (!each.hasEnded) each.isActive = isActive
    }
  }

  // ---- policies

  async #changePolicy(): Promise<void> {
    const random = this.#random
    const org = random.pick(this.tenants)
    const live = this.model.policies.filter(({ orgId, isDeleted }) => orgId === org.id && !isDeleted)
    const rules = this.#rulesOf(org.id)
    const chosen = rules.filter(() => random.chance(40)).map(({ id }) => id)
    if (live.length < 2) {
      this.#names += 1
      const isActive = random.chance(65)
      const sent = { name: `policy ${this.#names}`, ruleIds: chosen, isActive }
      const answer = await this.#ask(org, 'POST', '/policies', sent)
      if (answer.status !== 201) return
      this.model.policies.push({
        id: answer.data.policy.id,
        orgId: org.id,
        ruleIds: chosen,
        isActive,
        isDeleted: false,
      })
      return
    }
    const policy = random.pick(live)
    const isActive = random.chance(65)
    const isRegrouped = random.chance(50)
    const answer = await this.#ask(org, 'PUT', `/policies/${policy.id}`, {
      isActive,
      ...(isRegrouped ? { ruleIds: chosen } : {}),
    })
    if (answer.status !== 200) return
    policy.isActive = isActive
    if (isRegrouped) policy.ruleIds = chosen
  }

  async #deleteOrRestorePolicy(): Promise<void> {
    const random = this.#random
    if (this.model.policies.length === 0) return this.#changePolicy()
    const policy = random.pick(this.model.policies)
    const org = this.#orgOf(policy.orgId)
    const answer = policy.isDeleted
      ? await this.#ask(org, 'POST', `/policies/${policy.id}/restore`, undefined, { stepUp: true })
      : await this.#ask(org, 'DELETE', `/policies/${policy.id}`)
    if (answer.status === 200) policy.isDeleted = !policy.isDeleted
  }

  // ---- exemptions

  async #request(): Promise<void> {
    const random = this.#random
    const org = random.pick(this.tenants)
    const near = this.model.rules.filter(
      ({ orgId, scope }) => orgId === org.id || orgId === org.parentId || scope === 'published' || random.chance(3),
    )
    if (near.length === 0) return this.#createRule()
    const rule = random.pick(near)
    const target = random.chance(95) ? (rule.body['target'] as Target) : 'pipeline'
    const stored = this.#stored.get(org.id)
    const ids = target === 'pipeline' && stored !== undefined ? [...this.#ids.pipeline, stored.id] : this.#ids[target]
    const { clock, root } = this.#replicas
    const nowMs = clock.now()
    const expiresAtMs = laterOrNever(random, nowMs)
    const as = random.chance(70) ? this.ownerOf(org) : root
    const isKeyed = random.chance(45)
    const entityId = isKeyed ? null : random.pick(ids)
    const entityKey = isKeyed ? random.pick(KEYS[target]) : null
    const named = entityKey === null ? { entityId } : { entityKey }
    const expiry = expiresAtMs === null ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }
    const body = { ruleId: rule.id, entityType: target, ...named, reason: EXEMPTION_REASON, ...expiry }
    const answer = await this.#ask(org, 'POST', '/exemptions', body, { as })
    // A refusal rolls back what it had ended.
    if (answer.status === 201) endExpired(this.model, org.id, nowMs)
    const twin = this.model.exemptions.find(
      (each) =>
        each.orgId === org.id &&
        each.ruleId === rule.id &&
        each.entityId === entityId &&
        JSON.stringify(each.entityKey) === JSON.stringify(entityKey) &&
        isOpenAt(each, nowMs),
    )
    if (answer.status === 201 && twin?.entityType === target)
      throw new Error('two open exemptions for one rule and entity')
    if (answer.status !== 201) return
    const isHandedDown = org.parentId !== null && rule.orgId === org.parentId
    const made: ModelExemption = {
      ...{ id: answer.data.exemption.id, orgId: org.id, ruleId: rule.id, entityType: target, expiresAtMs },
      entityId,
      entityKey,
      reviewOrgId: isHandedDown ? rule.orgId : org.id,
      requestedBy: as.name,
      status: 'pending',
    }
    this.model.exemptions.push(made)
    if (random.chance(70)) await this.#review(made)
  }

  async #review(exemption: ModelExemption): Promise<void> {
    const random = this.#random
    const { root, clock } = this.#replicas
    const at = this.#orgOf(random.chance(95) ? exemption.reviewOrgId : random.pick(this.tenants).id)
    const other = exemption.requestedBy === root.name ? this.ownerOf(at) : root
    const as = random.chance(93) ? other : exemption.requestedBy === root.name ? root : this.ownerOf(at)
    const status = random.chance(85) ? 'approved' : 'rejected'
    const answer = await this.#ask(at, 'PUT', `/exemptions/${exemption.id}/review`, { status }, { as })
    if (answer.status !== 200) return
    const mayDecide = at.id === exemption.reviewOrgId && as.name !== exemption.requestedBy
    if (!mayDecide || !isOpenAt(exemption, clock.now()))
      throw new Error(`${as.name} of ${at.id} decided ${exemption.id}`)
    exemption.status = status
  }

  async #decide(): Promise<void> {
    const random = this.#random
    const { exemptions } = this.model
    if (exemptions.length === 0) return this.#request()
    const exemption = random.pick(exemptions.slice(-12))
    if (exemption.status === 'pending' && random.chance(70)) return this.#review(exemption)
    const at = this.#orgOf(exemption.reviewOrgId)
    const answer = await this.#ask(at, 'DELETE', `/exemptions/${exemption.id}`)
    if (answer.status === 200) exemption.status = 'revoked'
  }

  get #system(): ModelOrg {
    return this.#orgOf(SYSTEM_ORG_ID)
  }

  #orgOf(id: string): ModelOrg {
    const found = this.model.orgs.find((org) => org.id === id)
    if (found === undefined) throw new Error(`no organization ${id}`)
    return found
  }
}
