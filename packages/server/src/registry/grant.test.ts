/**
 * Goal: no token grants what its caller may not use. Method: callers with every mixture of rights, and every kind of
 * repository and action, are compared with a naive oracle that follows the table of the specification row by row; and
 * malformed scopes.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Granted, granted, type RegistryCaller, scopesIn } from './grant.js'

const ID = (n: number) => `0190f000-0000-7000-8000-00000000000${n}`
const ORGS = [ID(1), ID(2), ID(3)] as const
/**
 * The first is the caller's, the second its parent, the third an unrelated organization or one that the caller also
 * reaches.
 */
const [HOME, PARENT, OTHER] = ORGS

interface World {
  readonly rights: Readonly<Record<string, { pull: boolean; push: boolean }>>
  readonly hasParent: boolean
  readonly plugins: readonly string[]
}

const callerIn = ({ rights, hasParent, plugins }: World): RegistryCaller => ({
  homeOrgId: HOME,
  homeParentOrgId: hasParent ? PARENT : null,
  rights: async (orgId) => rights[orgId] ?? { pull: false, push: false },
  isPluginName: async (orgId, name) => plugins.includes(`${orgId}/${name}`),
})

/** Written separately: the table of the token service, one line after the other. */
function expected(world: World, name: string, action: string): boolean {
  const home = world.rights[HOME]
  if (name.startsWith('system/')) return action === 'pull' && home?.pull === true
  const org = ORGS.find((id) => name.startsWith(`org-${id}/`))
  if (org === undefined) return false
  const segments = name.split('/').slice(1)
  const own = world.rights[org]
  if (action === 'pull' && own?.pull === true) return true
  if (action === 'pull' && segments[0] === 'public' && segments.length > 1) {
    return world.hasParent && org === PARENT && home?.pull === true
  }
  if (action === 'push') {
    return own?.push === true && segments[0] !== 'public' && !world.plugins.includes(`${org}/${segments[0]}`)
  }
  return false
}

const rightsOf = fc.record({ pull: fc.boolean(), push: fc.boolean() })
const world: fc.Arbitrary<World> = fc.record({
  rights: fc.record({ [HOME]: rightsOf, [PARENT]: rightsOf, [OTHER]: rightsOf }),
  hasParent: fc.boolean(),
  plugins: fc.subarray(ORGS.map((id) => `${id}/web`)),
})
const repository = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ORGS), fc.constantFrom('web', 'own', 'public', 'public/web', 'web/extra', 'own/a.b_c'))
    .map(([id, rest]) => `org-${id}/${rest}`),
  fc.constantFrom('system/web', 'staging/job-1', 'library/debian', 'web', `org-${ID(9)}/web`),
)
const action = fc.constantFrom('pull', 'push', 'delete', '*')

describe('what a token names', () => {
  it('is what the caller may use, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.tuple(repository, fc.array(action, { minLength: 1 })), { maxLength: 8 }),
        async (given, asked) => {
          const scopes = asked.map(([name, actions]) => `repository:${name}:${actions.join(',')}`)
          const access = await granted(callerIn(given), scopes)
          const wanted: Granted[] = asked.flatMap(([name, actions]) => {
            const some = [...new Set(actions)].filter((each) => expected(given, name, each))
            return some.length === 0 ? [] : [{ type: 'repository', name, actions: some }]
          })
          expect(access).toEqual(wanted)
        },
      ),
      { numRuns: 2000, seed: 20_261_123 },
    )
  })

  it('is nothing for what is not a scope', async () => {
    const all = { pull: true, push: true }
    const caller = callerIn({ rights: { [HOME]: all }, hasParent: false, plugins: [] })
    const own = `org-${HOME}/own`
    for (const scope of [
      '',
      'registry:catalog:*',
      `repository(plugin):${own}:pull`,
      `repository:${own}`,
      `repository:${own}:`,
      `repository:${own}/*:pull`,
      `repository:org-${HOME}/../org-${OTHER}/x:pull`,
      `repository:${own}%00:pull`,
      `repository:${own}\0:pull`,
      `repository:${own.toUpperCase()}:pull`,
      `repository:org-*/own:pull`,
      `repository:system/../${own}:pull`,
      `repository:${own}:Pull`,
      `repository:host:5000/${own}:pull`,
      `repository:${own}${'/a'.repeat(150)}:pull`,
    ]) {
      expect([scope, await granted(caller, [scope])]).toEqual([scope, []])
    }
    expect(await granted(caller, [`repository:${own}:pull,push,delete,*`])).toEqual([
      { type: 'repository', name: own, actions: ['pull', 'push'] },
    ])
  })

  it('is of the first twenty scopes alone', () => {
    const many = Array.from({ length: 1000 }, (_, n) => `repository:system/a${n}:pull`)
    expect(scopesIn(many)).toHaveLength(20)
    expect(scopesIn([many.join(' ')])).toHaveLength(20)
    expect(scopesIn(['', '  '])).toEqual([])
  })
})
