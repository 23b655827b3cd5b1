/** Goal: the coverage of rules counts the findings and records of its own organization alone, also of rules of others. */
import { beforeAll, expect, it } from 'vitest'
import { memberOf, noLatest, recordKey, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { enrol, giveCustomRole, runJobs } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { HOUR_MS } from '../../runtime/clock.js'
import { scanJob } from '../scan/job.js'

const idOf = (n: number): string => `99999999-9999-7999-8999-${String(n).padStart(12, '0')}`

await describeCompliance(
  'the coverage of rules',
  { stores: BOTH_DATABASES, settings: { JWT_EXPIRES_IN: '86400' } },
  (kit) => {
    let ada: SignedIn
    let amy: SignedIn
    let team: SignedIn
    let bob: SignedIn
    const ids = new Map<string, string>()
    const inHours = (hours: number): string => new Date(kit.app.clock.now() + hours * HOUR_MS).toISOString()
    const make = async (as: SignedIn, body: { readonly name: string }) => {
      const made = await kit.call(as, 'POST', '/rules', body)
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      ids.set(body.name, made.data.rule.id)
    }
    const put = ({ orgId }: SignedIn, n: number, version: string, target: 'plugin' | 'pipeline' = 'plugin') => {
      const entity = { id: idOf(n), name: `record ${n}`, revision: 1, attributes: { id: idOf(n), version } }
      kit.inventory.set(recordKey(orgId, target, idOf(n)), entity)
    }
    const scan = async (as: SignedIn) => {
      expect((await kit.call(as, 'POST', '/scans', { target: 'all' })).status).toBe(201)
      await runJobs(kit.app, [scanJob])
    }
    const waive = async (n: number): Promise<string> => {
      const body = { ruleId: ids.get('no latest'), entityType: 'plugin', entityId: idOf(n), reason: 'a trial' }
      return (await kit.call(amy, 'POST', '/exemptions', { ...body, expiresAt: inHours(1) })).data.exemption.id
    }
    const covered = async (as: SignedIn): Promise<Record<string, (number | string | null)[]>> => {
      const { data } = await kit.call(as, 'GET', '/rules/coverage')
      expect(data.total).toBe(data.rules.length)
      return Object.fromEntries(
        data.rules.map(({ ruleName, mode, open, requested, exempted }: Record<string, never>) => [
          ruleName,
          [mode, open, requested, exempted],
        ]),
      )
    }

    beforeAll(async () => {
      ada = await signUp(kit.app, 'ada')
      amy = await memberOf(kit, ada, 'amy')
      team = await teamOf(kit, ada, 'a team')
      bob = await signUp(kit.app, 'bob')
      await make(ada, noLatest('no latest', { propagateToChildren: true }))
      await make(ada, noLatest('observed', { mode: 'observe' }))
      await make(ada, noLatest('off', { isActive: false }))
      await make(ada, noLatest('later', { effectiveFrom: inHours(2) }))
      await make(ada, { ...noLatest('of pipelines'), target: 'pipeline' } as never)
      await make(bob, noLatest('of bob'))
      for (const n of [1, 2, 3]) put(ada, n, 'latest')
      put(ada, 4, '1.0.0')
      put(ada, 5, '1.0.0', 'pipeline')
      put(team, 6, 'latest')
      put(bob, 7, 'latest')
      for (const each of [ada, team, bob]) await scan(each)
      const approved = await waive(1)
      await kit.call(ada, 'PUT', `/exemptions/${approved}/review`, { status: 'approved' })
      await waive(2)
    })

    it('counts by state, and names the mode of what is in force', async () => {
      expect(await covered(ada)).toEqual({
        'no latest': ['enforce', 1, 1, 1],
        observed: ['observe', 0, 0, 0],
        off: [null, 0, 0, 0],
        later: [null, 0, 0, 0],
        'of pipelines': ['enforce', 0, 0, 0],
      })
      const { records } = (await kit.call(ada, 'GET', '/rules/coverage')).data
      expect(records).toEqual({ plugin: 4, pipeline: 1 })
    })

    it('counts of an inherited rule only what its own records violate', async () => {
      expect(await covered(team)).toEqual({ 'no latest': ['enforce', 1, 0, 0] })
      expect((await kit.call(team, 'GET', '/rules/coverage')).data.records).toEqual({ plugin: 1, pipeline: 0 })
    })

    it('shows no rule and no finding of another organization', async () => {
      expect(await covered(bob)).toEqual({ 'of bob': ['enforce', 1, 0, 0] })
    })

    it('needs `compliance:read`', async () => {
      const blind = await signUp(kit.app, 'blind')
      await enrol(kit.app, blind, ada.orgId, [])
      await giveCustomRole(kit.app, ada.orgId, blind.userId, ['plugins:read'])
      expect((await kit.call({ ...blind, orgId: ada.orgId }, 'GET', '/rules/coverage')).status).toBe(403)
    })

    it('begins and ends with the dates of a rule, and counts what is fixed no more', async () => {
      kit.app.clock.advance(3 * HOUR_MS)
      put(ada, 3, '1.0.0')
      await scan(ada)
      // The exemptions have expired.
      expect(await covered(ada)).toMatchObject({ 'no latest': ['enforce', 2, 0, 0], later: ['enforce', 2, 0, 0] })
    })
  },
)
