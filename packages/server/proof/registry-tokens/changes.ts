/** Changes of the world between a question and the next: each through the product, and noted in what the oracle reads. */
import { quotaTables } from '../../src/quota/tables.js'
import { endHold, takeHold } from '../../src/registry/collection/hold.js'
import type { Random } from '../world/random.js'
import type { Credential, Membership, Organization, Person, PersonalToken, Service } from './model.js'
import type { World } from './world.js'

const MINUTE_MS = 60_000
const HOLDER = 'the proof'

export interface Change {
  readonly what: string
  /** The credential whose rights change. */
  readonly credential: Credential
  run(): Promise<void>
  /** Brings back what later cases need. */
  undo?(): Promise<void>
}

type Make = (world: World, random: Random) => Promise<Change | null>

const personal = (world: World, random: Random, wanted: (token: PersonalToken) => boolean): PersonalToken | null => {
  const found = world.credentials.filter(
    (each): each is PersonalToken =>
      each.kind === 'personal token' &&
      !each.isRevoked &&
      each.person.isActive &&
      each.expiresAtMs > world.nowMs &&
      wanted(each),
  )
  return found.length === 0 ? null : random.pick(found)
}

const service = (world: World, random: Random, wanted: (each: Service) => boolean): Service | null => {
  const found = world.credentials.filter(
    (each): each is Service => each.kind === 'service' && each.org !== null && !each.isDeleted && wanted(each),
  )
  return found.length === 0 ? null : random.pick(found)
}

/** A member of the organization of the token who is not its owner. */
const isOfMember = ({ person, org }: PersonalToken): boolean =>
  !person.isSuperAdmin && org.owner !== person && person.memberships.get(org.id)?.isActive === true

const membership = ({ person, org }: PersonalToken): Membership => person.memberships.get(org.id) as Membership

const MAKERS: readonly Make[] = [
  async (world, random) => {
    const old = personal(world, random, ({ permissions }) => permissions === null)
    if (old === null) return null
    const token = await world.tokenIfGiven(old.person, old.org)
    if (token === null) return null
    return {
      what: 'a token is revoked',
      credential: token,
      async run() {
        await world.act(token.person, 'DELETE', `/auth/pats/${token.id}`)
        token.isRevoked = true
      },
    }
  },
  async (world, random) => {
    const old = personal(world, random, () => true)
    if (old === null) return null
    const token = await world.tokenIfGiven(old.person, old.org, 60)
    if (token === null) return null
    return {
      what: 'a token expires',
      credential: token,
      async run() {
        world.place.app.clock.advance(MINUTE_MS)
      },
    }
  },
  async (world, random) => {
    const token = personal(world, random, (each) => isOfMember(each) && each.org.parent === null)
    return token === null ? null : removal(world, token)
  },
  async (world, random) => {
    const token = personal(world, random, (each) => isOfMember(each) && each.org.parent !== null)
    return token === null ? null : removal(world, token)
  },
  async (world, random) => {
    const token = personal(world, random, isOfMember)
    return token === null ? null : pause(world, token)
  },
  async (world, random) => {
    const token = personal(world, random, isOfMember)
    if (token === null) return null
    const { levels } = membership(token)
    const isAdmin = levels.has('admin')
    return {
      what: isAdmin ? 'the Role Admin is taken' : 'the Role Admin is given',
      credential: token,
      async run() {
        const { org, person } = token
        const body = { role: isAdmin ? 'member' : 'admin' }
        await world.act(org.owner, 'PATCH', `/organization/${org.id}/members/${person.id}`, body)
        if (isAdmin) {
          levels.delete('admin')
          levels.add('member')
        } else levels.add('admin')
      },
    }
  },
  async (world, random) => {
    const token = personal(world, random, (each) => isOfMember(each) && membership(each).custom !== null)
    const custom = token === null ? null : membership(token).custom
    if (token === null || custom === null) return null
    const permissions = random.pick([
      ['plugins:read'],
      ['plugins:write'],
      ['plugins:read', 'plugins:write'],
      ['reports:read'],
    ])
    return {
      what: 'a Role changes',
      credential: token,
      async run() {
        const { org } = token
        await world.act(org.owner, 'PUT', `/organization/${org.id}/roles/${custom.roleId}`, { permissions })
        custom.permissions = permissions
      },
    }
  },
  async (world, random) => {
    const token = personal(world, random, ({ person }) => !person.isSuperAdmin && !owns(world, person))
    return token === null ? null : deactivation(world, token)
  },
  async (world, random) => {
    const token = personal(world, random, ({ person }) => person !== administrator(world))
    if (token === null) return null
    const { person } = token
    const isTaken = person.isSuperAdmin
    const change = async (isGiven: boolean) => {
      const path = `/admin/users/${person.id}/superadmin`
      await world.act(administrator(world), isGiven ? 'POST' : 'DELETE', path, isGiven ? {} : undefined)
      person.isSuperAdmin = isGiven
    }
    if (!isTaken) await change(true)
    return { what: 'the administration of the system is taken', credential: token, run: () => change(false) }
  },
  async (world, random) => {
    const each = service(world, random, () => true)
    if (each === null) return null
    const before = { scopes: each.scopes, includeTeams: each.includeTeams }
    const scopes = random.pick([['images:pull'], ['images:push'], ['images:pull', 'images:push'], ['pipelines:read']])
    const includeTeams = each.org?.parent === null && random.next() < 0.5
    const set = async (next: typeof before) => {
      await patch(world, each, next)
      Object.assign(each, next)
    }
    return {
      what: 'the scopes of a service change',
      credential: each,
      run: () => set({ scopes, includeTeams }),
      undo: () => set(before),
    }
  },
  async (world, random) => {
    const each = service(world, random, ({ isDisabled }) => !isDisabled)
    if (each === null) return null
    const set = async (isDisabled: boolean) => {
      await patch(world, each, { disabled: isDisabled })
      each.isDisabled = isDisabled
    }
    return { what: 'a service is disabled', credential: each, run: () => set(true), undo: () => set(false) }
  },
  async (world, random) => {
    const old = service(world, random, () => true)
    if (old?.org == null) return null
    const { org } = old
    const each = await world.service(org.owner, org, old.scopes, old.includeTeams)
    const path = `/organization/${org.id}/service-principals/${each.id}`
    if (random.next() < 0.5)
      return {
        what: 'a service is deleted',
        credential: each,
        async run() {
          await world.act(org.owner, 'DELETE', path)
          each.isDeleted = true
        },
      }
    return {
      what: 'the secret of a service is replaced',
      credential: each,
      async run() {
        await world.act(org.owner, 'POST', `${path}/rotate`)
        each.replacedAtMs = world.nowMs
        // Half of them are asked for after the day on which both secrets are good.
        if (random.next() < 0.1) world.place.app.clock.advance(86_400_000)
      },
      async undo() {
        await world.act(org.owner, 'DELETE', path)
        each.isDeleted = true
      },
    }
  },
  async (world, random) => {
    const token = personal(world, random, ({ org }) => org.parent !== null)
    return token === null ? null : deletion(world, token, token.org)
  },
  async (world, random) => {
    const each = service(world, random, ({ org }) => org?.parent != null)
    return each === null ? null : deletion(world, each, each.org as Organization)
  },
  plugins,
  async (world, random) => {
    const credential = personal(world, random, () => true)
    const org = credential?.org.parent ?? credential?.org
    if (credential === null || org === undefined) return null
    const set = async (isFull: boolean) => {
      await limitStorage(world, org, isFull)
      org.isFull = isFull
    }
    return { what: 'the storage of an account is full', credential, run: () => set(true), undo: () => set(false) }
  },
  async (world, random) => {
    const credential = personal(world, random, () => true) as Credential
    const { runtime } = world.place.app
    return {
      what: 'the registry is collected',
      credential,
      async run() {
        await takeHold(runtime, HOLDER)
        world.isPushHeld = true
      },
      async undo() {
        await endHold(runtime, HOLDER)
        world.isPushHeld = false
      },
    }
  },
]

export const CHANGES = MAKERS.length

export const someChange = (world: World, random: Random): Promise<Change | null> => random.pick(MAKERS)(world, random)

const administrator = (world: World): Person => world.people[0] as Person

const owns = (world: World, person: Person): boolean =>
  [...world.organizations.values()].some(({ owner }) => owner === person)

const patch = (world: World, { org, id }: Service, body: object) =>
  world.act((org as Organization).owner, 'PATCH', `/organization/${org?.id}/service-principals/${id}`, body)

/** The organization and its teams, of which a person leaves all. */
const places = (world: World, org: Organization): Organization[] =>
  [...world.organizations.values()].filter((each) => each === org || each.parent === org)

function removal(world: World, token: PersonalToken): Change {
  const { person, org } = token
  const left = places(world, org).flatMap((place) => {
    const held = person.memberships.get(place.id)
    return held === undefined ? [] : [{ place, held }]
  })
  return {
    what: org.parent === null ? 'a person is removed from an organization' : 'a person is removed from a team',
    credential: token,
    async run() {
      await world.act(org.owner, 'DELETE', `/organization/${org.id}/members/${person.id}`)
      for (const { place } of left) person.memberships.delete(place.id)
      const gone = new Set(places(world, org))
      for (const each of world.credentials)
        if (each.kind === 'personal token' && each.person === person && gone.has(each.org)) each.isRevoked = true
    },
    async undo() {
      for (const { place, held } of left) {
        const levels = [...held.levels].map((level) => (level === 'admin' ? 'Admin' : 'Member'))
        await world.join(person, place, levels, held.custom?.permissions)
        await world.tokenIfGiven(person, place)
      }
    },
  }
}

function pause(world: World, token: PersonalToken): Change {
  const { person, org } = token
  const paused = places(world, org).flatMap((place) => {
    const held = person.memberships.get(place.id)
    return held?.isActive === true ? [{ place, held }] : []
  })
  return {
    what: 'a membership is deactivated',
    credential: token,
    async run() {
      await world.act(org.owner, 'PATCH', `/organization/${org.id}/members/${person.id}/deactivate`)
      for (const { held } of paused) held.isActive = false
    },
    async undo() {
      for (const { place, held } of paused) {
        await world.act(org.owner, 'PATCH', `/organization/${place.id}/members/${person.id}/activate`)
        held.isActive = true
      }
    },
  }
}

function deactivation(world: World, token: PersonalToken): Change {
  const { person } = token
  const set = async (isActive: boolean) => {
    await world.act(administrator(world), 'PUT', `/admin/users/${person.id}`, { isActive })
    person.isActive = isActive
  }
  const own = world.credentials.filter(
    (each): each is PersonalToken => each.kind === 'personal token' && each.person === person && !each.isRevoked,
  )
  return {
    what: 'a person is deactivated',
    credential: token,
    async run() {
      await set(false)
      for (const each of own) each.isRevoked = true
    },
    async undo() {
      await set(true)
      const places = new Set(own.filter(({ expiresAtMs }) => expiresAtMs > world.nowMs).map(({ org }) => org))
      for (const org of places) await world.tokenIfGiven(person, org)
    },
  }
}

function deletion(world: World, credential: Credential, org: Organization): Change {
  return {
    what: 'an organization is deleted',
    credential,
    async run() {
      await world.act(org.owner, 'DELETE', `/organization/${org.id}?force=true`)
      org.isDeleted = true
    },
    async undo() {
      await world.act(org.owner, 'POST', `/organization/${org.id}/restore`)
      org.isDeleted = false
    },
  }
}

/** A name is taken by an upload, stays taken by what is withdrawn or deleted, and is free after a purge. */
async function plugins(world: World, random: Random): Promise<Change | null> {
  const credential = personal(world, random, ({ org }) => org.owner.isActive)
  if (credential === null) return null
  const { org } = credential
  const known = [...org.plugins].filter(([, { state }]) => random.next() < 0.5 || state === 'deleted')
  const [name, plugin] = known.length === 0 || random.next() < 0.3 ? [] : random.pick(known)
  const within = (method: string, path: string, body?: object) => world.act(org.owner, method, path, body, org)
  if (name === undefined || plugin === undefined) {
    const run = async () => void (await world.plugin(org, random.pick(['private', 'public'])))
    return { what: 'a plugin is uploaded', credential, run }
  }
  switch (plugin.state) {
    case 'public':
      return {
        what: 'a version is withdrawn',
        credential,
        async run() {
          await within('PUT', `/plugins/${plugin.id}`, { accessModifier: 'private' })
          plugin.state = 'private'
        },
      }
    case 'private':
      return {
        what: 'a plugin is deleted',
        credential,
        async run() {
          await within('DELETE', `/plugins/${plugin.id}?force=true`)
          plugin.state = 'deleted'
        },
      }
    case 'deleted':
      return {
        what: 'a plugin is purged',
        credential,
        async run() {
          await within('POST', `/plugins/${plugin.id}/purge`)
          org.plugins.delete(name)
        },
      }
  }
}

async function limitStorage(world: World, { id: orgId }: Organization, isFull: boolean): Promise<void> {
  await world.place.app.runtime.store.system.write(async (tx) => {
    const { quotaLimits: t } = quotaTables(tx)
    await tx.delete(t)
    // Not even one byte, since an account may store nothing yet.
    if (isFull) await tx.insert(t).values({ orgId, type: 'storageBytes', granted: 0, override: 0, updatedAtMs: 0 })
  })
}
