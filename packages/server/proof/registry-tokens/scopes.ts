/** Scopes as clients and attackers write them. */
import type { Random } from '../world/random.js'
import type { Credential, Organization } from './model.js'

const ACTIONS = ['pull', 'push', 'delete', '*']
const FREE = ['mine', 'tools', 'a-b', 'a__b', 'x.y', '0', 'very/deep/name/of/five']
const NONE = ['', 'library/debian', 'mine', 'ORG', '..', '*', 'system', 'staging', 'a'.repeat(300), 'org-', 'catalog']

export interface Places {
  readonly organizations: readonly Organization[]
  readonly strangerId: string
}

/** One to five scopes, and now and then more than are read. */
export function someScopes(random: Random, credential: Credential, places: Places): string[] {
  const roll = random.next()
  const count = roll < 0.55 ? 1 : roll < 0.95 ? 2 + random.below(4) : 18 + random.below(8)
  return Array.from({ length: count }, () => oneScope(random, credential, places))
}

function oneScope(random: Random, credential: Credential, places: Places): string {
  const roll = random.next()
  if (roll < 0.03)
    return random.pick(['registry:catalog:*', '*', 'repository', 'repository:a', 'repository:a:b:c:d', ':', '::'])
  const type =
    roll < 0.06 ? random.pick(['registry', 'volume', 'repository(plugin)', 'REPOSITORY', 'Repository']) : 'repository'
  return `${type}:${someName(random, credential, places)}:${someActions(random)}`
}

function someActions(random: Random): string {
  const roll = random.next()
  if (roll < 0.03) return random.pick(['', 'PULL', 'admin', 'push,,pull', 'pull,', 'puller'])
  const count = 1 + random.below(4)
  return Array.from({ length: count }, () => random.pick(ACTIONS)).join(',')
}

export function someName(random: Random, credential: Credential, places: Places): string {
  const roll = random.next()
  if (roll < 0.06) return random.pick(NONE)
  if (roll < 0.16) return `system/${random.pick(['base', 'tools/extra', 'public/web', 'A', '..', ''])}`
  if (roll < 0.21) return `staging/${places.strangerId}`
  const org = someOrganization(random, credential, places.organizations)
  if (roll < 0.24)
    return random.pick([
      `org-${org.id}`,
      `org-${org.id}/`,
      `org-${org.id.toUpperCase()}/mine`,
      `org-${places.strangerId}/mine`,
    ])
  const rest = roll < 0.5 ? random.pick(FREE) : (random.pick([...org.plugins.keys(), 'web']) ?? 'web')
  const form = random.next()
  if (form < 0.55) return `org-${org.id}/${rest}`
  if (form < 0.8) return `org-${org.id}/public/${rest.split('/')[0]}`
  if (form < 0.9) return `org-${org.id}/${rest.split('/')[0]}/extra`
  return `org-${org.id}/${random.pick(['public', 'public/a/b', 'publicity', 'PUBLIC/web', '-x', 'x..y', 'a___b', 'a/../b', 'é'])}`
}

/** The name of a repository of an organization, as images have it. */
export function oneName(random: Random, credential: Credential, places: Places): string {
  const org = someOrganization(random, credential, places.organizations)
  const name = random.pick([...FREE, ...org.plugins.keys(), ...org.plugins.keys()])
  return random.pick([`org-${org.id}/${name}`, `org-${org.id}/${name}`, `org-${org.id}/public/web`, 'system/base'])
}

/** Mostly the own one, those above, below and beside it. */
function someOrganization(random: Random, credential: Credential, all: readonly Organization[]): Organization {
  const own = credential.kind === 'wrong' ? null : credential.org
  if (own === null || random.next() < 0.15) return random.pick(all)
  const near = all.filter(
    (each) => each === own.parent || each.parent === own || (own.parent !== null && each.parent === own.parent),
  )
  return near.length > 0 && random.next() < 0.4 ? random.pick(near) : own
}
