/**
 * Goal: a bundle contains everything that decides the verdicts of its own organization, nothing else, and is signed and
 * expires.
 */
import { openRuleBundle } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { beforeAll, expect, it } from 'vitest'
import { memberOf, noLatest, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { giveCustomRole } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { auditLog } from '../../audit/index.js'

const entity = (n: number): string => `99999999-9999-7999-8999-99999999999${n}`
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

interface Content {
  readonly orgId: string
  readonly issuedAt: string
  readonly expiresAt: string
  readonly rules: readonly {
    readonly rule: { readonly name: string; readonly source: string }
    readonly mode: string
  }[]
  readonly exemptions: readonly Readonly<Record<string, unknown>>[]
}

await describeCompliance('bundles', { stores: WITH_POSTGRESQL }, (kit) => {
  let ada: SignedIn
  let amy: SignedIn
  let bob: SignedIn
  let team: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    amy = await memberOf(kit, ada, 'amy', ['Member', 'Admin'])
    bob = await signUp(kit.app, 'bob')
    team = await teamOf(kit, ada, 'Team')
  })

  const rule = async (as: SignedIn, name: string, more: object = {}): Promise<string> =>
    (await kit.call(as, 'POST', '/rules', noLatest(name, more))).data.rule.id
  /** Requested by one person and approved by another; pending without the second. */
  async function exempt(as: SignedIn, ruleId: string, entityId: string, by: SignedIn | null, more: object = {}) {
    const body = { ruleId, entityType: 'plugin', entityId, reason: 'until the next release', ...more }
    const asked = await kit.call(as, 'POST', '/exemptions', body)
    expect(asked.status).toBe(201)
    const { id } = asked.data.exemption
    if (by === null) return
    expect((await kit.call(by, 'PUT', `/exemptions/${id}/review`, { status: 'approved' })).status).toBe(200)
  }
  const bundle = async (as: SignedIn, query = '') => (await kit.call(as, 'GET', `/bundle${query}`)).data.bundle
  const contentOf = async (as: SignedIn): Promise<Content> => (await bundle(as)).content
  const opened = (value: unknown, orgId: string, laterMs = 0) =>
    openRuleBundle(nodeCrypto, value, {
      keys: auditLog(kit.app.runtime.settings).logKeys,
      nowMs: kit.app.clock.now() + laterMs,
      orgId,
    })

  it('holds own and inherited rules that hold now, each with its rollout', async () => {
    await rule(ada, 'own')
    await rule(ada, 'watched', { mode: 'warn' })
    await rule(ada, 'for teams', { propagateToChildren: true })
    await rule(ada, 'switched off', { isActive: false })
    await rule(bob, 'of a stranger')
    await rule(team, 'of the team')
    const names = ({ rules }: Content) => rules.map(({ rule: { name, source }, mode }) => [name, source, mode]).sort()
    expect(names(await contentOf(ada))).toEqual([
      ['for teams', 'own', 'enforce'],
      ['own', 'own', 'enforce'],
      ['watched', 'own', 'warn'],
    ])
    expect(names(await contentOf(team))).toEqual([
      ['for teams', 'inherited', 'enforce'],
      ['of the team', 'own', 'enforce'],
    ])
  })

  it('holds the exemptions in force of its organization, and not who asked or decided', async () => {
    const [one, teams] = [await rule(ada, 'waived'), await rule(team, 'waived in the team')]
    await exempt(ada, one, entity(1), amy)
    await exempt(ada, one, entity(2), null)
    await exempt(ada, one, entity(3), amy, { expiresAt: new Date(kit.app.clock.now() + MINUTE_MS).toISOString() })
    await exempt(await memberOf(kit, team, 'tim', ['Member']), teams, entity(1), team)
    kit.app.clock.advance(MINUTE_MS)
    const { exemptions } = await contentOf(ada)
    expect(exemptions).toMatchObject([{ ruleId: one, orgId: ada.orgId, entityId: entity(1), status: 'approved' }])
    expect(JSON.stringify(exemptions)).not.toMatch(new RegExp(`${ada.userId}|${amy.userId}`))
    expect((await contentOf(team)).exemptions).toMatchObject([{ ruleId: teams, orgId: team.orgId }])
  })

  it('is signed for its organization until it expires', async () => {
    const value = await bundle(ada, '?days=2')
    expect(opened(value, ada.orgId)).toMatchObject({ content: value.content })
    expect(opened(value, bob.orgId)).toEqual({ problem: 'other_organization' })
    expect(opened({ ...value, content: { ...value.content, rules: [] } }, ada.orgId)).toEqual({
      problem: 'content_altered',
    })
    expect(Date.parse(value.content.expiresAt) - Date.parse(value.content.issuedAt)).toBe(2 * DAY_MS)
    expect(opened(value, ada.orgId, 2 * DAY_MS)).toEqual({ problem: 'expired' })
  })

  it('is for those who may read the rules, and for thirty days at most', async () => {
    const eve = await signUp(kit.app, 'eve')
    const inside = await memberOf(kit, ada, 'ivy', [])
    await giveCustomRole(kit.app, ada.orgId, inside.userId, ['plugins:read'])
    expect((await kit.call(inside, 'GET', '/bundle')).status).toBe(403)
    expect((await kit.call({ ...eve, orgId: ada.orgId }, 'GET', '/bundle')).status).toBe(403)
    expect(await kit.call(ada, 'GET', '/bundle?days=31')).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  })
})
