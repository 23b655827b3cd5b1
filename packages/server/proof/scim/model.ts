/**
 * A directory against a model of its own: any order of valid calls, of mappings and of Roles given by hand ends in the same people,
 * groups and Roles. What the model says is written from the guide, and knows no table of the server.
 */
import { filter as matches, parse } from 'scim2-parse-filter'
import { confirmed } from '../../test/support/organizations.js'
import type { Directory } from '../../test/support/scim.js'
import type { SsoApp } from '../../test/support/sso.js'
import type { Random } from '../world/random.js'

interface Person {
  readonly name: string
  id: string
  active: boolean
  byHand: Set<string>
}

interface Group {
  id: string
  name: string
  members: Set<string>
  /** Roles that the mapping of its name gives. */
  roles: Set<string>
}

const PEOPLE = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay']
const GROUPS = ['devs', 'ops', 'chiefs', 'all']
const ROLES = ['Builders', 'Readers']

export class ScimModel {
  readonly #app: SsoApp
  readonly #directory: Directory
  readonly #random: Random
  readonly #domain: string
  readonly #people = new Map<string, Person>()
  readonly #groups = new Map<string, Group>()
  /** Of names that no group has. */
  readonly #waiting = new Map<string, Set<string>>()
  readonly #roleIds = new Map<string, string>()
  readonly failures: string[] = []

  constructor(app: SsoApp, directory: Directory, random: Random, domain: string) {
    this.#app = app
    this.#directory = directory
    this.#random = random
    this.#domain = domain
  }

  async begin(): Promise<void> {
    const { admin, orgId } = this.#directory
    for (const name of ROLES) {
      const body = { name, permissions: [name === 'Builders' ? 'pipelines:write' : 'pipelines:read'] }
      const made = await confirmed(this.#app, 'POST', `/organization/${orgId}/roles`, { as: admin, body })
      this.#roleIds.set(name, made.data.role.id)
    }
  }

  async step(): Promise<void> {
    const steps = [
      this.#create,
      this.#create,
      this.#rename,
      this.#activate,
      this.#remove,
      this.#createGroup,
      this.#createGroup,
      this.#changeMembers,
      this.#changeMembers,
      this.#changeMembers,
      this.#renameGroup,
      this.#removeGroup,
      this.#map,
      this.#giveByHand,
    ]
    await this.#random.pick(steps).call(this)
  }

  async #create(): Promise<void> {
    const name = this.#random.pick(PEOPLE)
    const active = this.#random.next() < 0.8
    const answer = await this.#directory.user(name, { active })
    const known = this.#people.get(name)
    this.#expect(answer.status, known === undefined ? 201 : 409, `create ${name}`)
    if (answer.status === 201) this.#people.set(name, { name, id: answer.body.id, active, byHand: new Set() })
  }

  async #rename(): Promise<void> {
    const person = this.#some(this.#people)
    if (person === null) return
    const value = `${person.name}-${Math.floor(this.#random.next() * 100)}`
    const operations = [
      { op: 'Replace', path: 'displayName', value },
      { op: 'add', value: { 'name.givenName': value } },
    ]
    const answer = await this.#directory.patch(`/Users/${person.id}`, this.#random.pick(operations))
    this.#expect(answer.status, 200, `rename ${person.name}`)
  }

  async #activate(): Promise<void> {
    const person = this.#some(this.#people)
    if (person === null) return
    const active = this.#random.next() < 0.5
    const value = this.#random.pick<unknown>([active, active ? 'True' : 'False'])
    const answer = await this.#directory.patch(`/Users/${person.id}`, { op: 'Replace', path: 'active', value })
    this.#expect(answer.status, 200, `active ${active} of ${person.name}`)
    person.active = active
  }

  async #remove(): Promise<void> {
    const person = this.#some(this.#people)
    if (person === null || this.#random.next() < 0.6) return
    const answer = await this.#directory.call('DELETE', `/Users/${person.id}`)
    this.#expect(answer.status, 204, `remove ${person.name}`)
    this.#people.delete(person.name)
    for (const group of this.#groups.values()) group.members.delete(person.name)
  }

  async #createGroup(): Promise<void> {
    const name = this.#random.pick(GROUPS)
    const members = [...this.#people.values()].filter(() => this.#random.next() < 0.4)
    const answer = await this.#directory.group(
      name,
      members.map(({ id }) => id),
    )
    const known = this.#groups.get(name)
    this.#expect(answer.status, known === undefined ? 201 : 409, `create group ${name}`)
    if (answer.status !== 201) return
    const roles = this.#waiting.get(name) ?? new Set()
    this.#waiting.delete(name)
    this.#groups.set(name, { id: answer.body.id, name, members: new Set(members.map((each) => each.name)), roles })
  }

  async #changeMembers(): Promise<void> {
    const group = this.#some(this.#groups)
    const person = this.#some(this.#people)
    if (group === null || person === null) return
    const member = { value: person.id }
    const kind = this.#random.pick(['add', 'remove', 'removeByFilter', 'replace', 'clear'])
    const operations: Readonly<Record<string, object>> = {
      add: { op: 'Add', path: 'members', value: [member] },
      remove: { op: 'remove', path: 'members', value: [member] },
      removeByFilter: { op: 'Remove', path: `members[value eq "${person.id}"]` },
      replace: { op: 'replace', value: { members: [member] } },
      clear: { op: 'remove', path: 'members' },
    }
    const answer = await this.#directory.patch(`/Groups/${group.id}`, operations[kind] as object)
    this.#expect(answer.status, 204, `${kind} ${person.name} in ${group.name}`)
    if (kind === 'replace' || kind === 'clear') group.members.clear()
    if (kind === 'add' || kind === 'replace') group.members.add(person.name)
    if (kind.startsWith('remove')) group.members.delete(person.name)
  }

  async #renameGroup(): Promise<void> {
    const group = this.#some(this.#groups)
    const displayName = this.#random.pick(GROUPS)
    if (group === null || displayName === group.name) return
    const answer = await this.#directory.patch(`/Groups/${group.id}`, { op: 'replace', value: { displayName } })
    this.#expect(answer.status, this.#groups.has(displayName) ? 409 : 204, `rename ${group.name} to ${displayName}`)
    if (answer.status !== 204) return
    this.#groups.delete(group.name)
    group.name = displayName
    for (const role of this.#waiting.get(displayName) ?? []) group.roles.add(role)
    this.#waiting.delete(displayName)
    this.#groups.set(displayName, group)
  }

  async #removeGroup(): Promise<void> {
    const group = this.#some(this.#groups)
    if (group === null || this.#random.next() < 0.5) return
    const answer = await this.#directory.call('DELETE', `/Groups/${group.id}`)
    this.#expect(answer.status, 204, `remove group ${group.name}`)
    this.#groups.delete(group.name)
    if (group.roles.size > 0) this.#waiting.set(group.name, group.roles)
  }

  async #map(): Promise<void> {
    const { admin, orgId, idpId } = this.#directory
    const mapping = GROUPS.filter(() => this.#random.next() < 0.5).map((name) => ({
      name,
      roles: ROLES.filter(() => this.#random.next() < 0.6),
    }))
    const groups = mapping
      .filter(({ roles }) => roles.length > 0)
      .map(({ name, roles }) => ({ name, roleIds: roles.map((role) => this.#roleIds.get(role) ?? '') }))
    const path = `/organization/${orgId}/idps/${idpId}/groups`
    const answer = await confirmed(this.#app, 'PUT', path, { as: admin, body: { groups } })
    this.#expect(answer.status, 200, 'map')
    this.#waiting.clear()
    for (const group of this.#groups.values()) group.roles = new Set()
    for (const { name, roles } of mapping) {
      const group = this.#groups.get(name)
      if (group !== undefined) group.roles = new Set(roles)
      else if (roles.length > 0) this.#waiting.set(name, new Set(roles))
    }
  }

  async #giveByHand(): Promise<void> {
    const { admin, orgId } = this.#directory
    const person = this.#some(this.#people)
    if (person === null) return
    const role = this.#random.pick(ROLES)
    const userId = (await this.#members()).get(this.#address(person.name))?.id
    const path = `/organization/${orgId}/roles/${this.#roleIds.get(role)}/members`
    if (person.byHand.has(role)) {
      const answer = await this.#app.call('DELETE', `${path}/${userId}`, { as: admin })
      this.#expect(answer.status, 204, `take ${role} from ${person.name}`)
      person.byHand.delete(role)
    } else {
      const answer = await confirmed(this.#app, 'POST', path, { as: admin, body: { userId } })
      this.#expect(answer.status, 200, `give ${role} to ${person.name}`)
      person.byHand.add(role)
    }
  }

  /** Compares everything that can be seen with the model. */
  async compare(): Promise<void> {
    const { body } = await this.#directory.call('GET', '/Users?count=500')
    const shown = new Map<string, { id: string; active: boolean }>(
      body.Resources.map((each: { id: string; userName: string; active: boolean }) => [each.userName, each]),
    )
    this.#expect(shown.size, this.#people.size, 'people')
    const members = await this.#members()
    for (const person of this.#people.values()) {
      const address = this.#address(person.name)
      this.#expect(shown.get(address)?.id, person.id, `id of ${person.name}`)
      this.#expect(shown.get(address)?.active, person.active, `active of ${person.name}`)
      this.#expect(members.get(address)?.isActive, person.active, `membership of ${person.name}`)
      const roles = new Set(['Member', ...person.byHand])
      for (const group of this.#groups.values()) {
        if (group.members.has(person.name)) for (const role of group.roles) roles.add(role)
      }
      this.#expect(members.get(address)?.roles.join(), [...roles].sort().join(), `Roles of ${person.name}`)
    }
    const groups = (await this.#directory.call('GET', '/Groups')).body.Resources
    this.#expect(groups.length, this.#groups.size, 'groups')
    for (const { id, displayName, members: inIt } of groups) {
      const group = this.#groups.get(displayName)
      this.#expect(id, group?.id, `id of ${displayName}`)
      const wanted = [...(group?.members ?? [])].map((name) => this.#people.get(name)?.id ?? '?')
      const found = inIt.map(({ value }: { value: string }) => value)
      this.#expect(found.sort().join(), wanted.sort().join(), `members of ${displayName}`)
    }
  }

  /** A random filter finds the same people as another reader of the language does. */
  async compareFilter(): Promise<void> {
    const text = this.#filter(3)
    const all = (await this.#directory.call('GET', '/Users?count=500')).body.Resources as { id: string }[]
    const test = matches(parse(text))
    const wanted = all.filter((each) => test(each)).map(({ id }) => id)
    const answer = await this.#directory.call('POST', '/Users/.search', { filter: text, count: 500 })
    const found = (answer.body.Resources ?? []).map(({ id }: { id: string }) => id)
    this.#expect(found.join(), wanted.join(), `filter ${text}`)
  }

  #filter(depth: number): string {
    const roll = this.#random.next()
    if (depth > 0 && roll < 0.25) return `(${this.#filter(depth - 1)} and ${this.#filter(depth - 1)})`
    if (depth > 0 && roll < 0.5) return `(${this.#filter(depth - 1)} or ${this.#filter(depth - 1)})`
    if (depth > 0 && roll < 0.65) return `not (${this.#filter(depth - 1)})`
    const texts = ['userName', 'displayName', 'externalId', 'name.givenName']
    const path = this.#random.pick(texts)
    const value = this.#random.pick(['a', 'ada', 'ext-', `bob@${this.#domain}`, this.#domain, 'z', 'ext-dan', 'eve-1'])
    if (roll < 0.72) return `${path} pr`
    if (roll < 0.8) return `active eq ${this.#random.next() < 0.5}`
    return `${path} ${this.#random.pick(['eq', 'co', 'sw', 'ew'])} "${value}"`
  }

  async #members(): Promise<Map<string, { id: string; isActive: boolean; roles: string[] }>> {
    const { admin, orgId } = this.#directory
    const { data } = await this.#app.call('GET', `/organization/${orgId}/members?limit=100`, { as: admin })
    interface Member {
      readonly id: string
      readonly email: string
      readonly isActive: boolean
      readonly roles: readonly { readonly name: string }[]
    }
    return new Map(
      (data.members as Member[]).map(({ id, email, isActive, roles }) => [
        email,
        { id, isActive, roles: roles.map(({ name }) => name).sort() },
      ]),
    )
  }

  #address = (name: string): string => `${name}@${this.#domain}`

  #some<T>(from: ReadonlyMap<string, T>): T | null {
    return from.size === 0 ? null : this.#random.pick([...from.values()])
  }

  #expect(found: unknown, wanted: unknown, what: string): void {
    if (found !== wanted) this.failures.push(`${what}: ${String(found)} instead of ${String(wanted)}`)
  }
}
