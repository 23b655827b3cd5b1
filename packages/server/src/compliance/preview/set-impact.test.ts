/** Goal: the impact of a set is that of each of its rules, and counts a record once, over the own inventory alone. */
import { beforeAll, expect, it } from 'vitest'
import { noLatest, recordKey, signUp, unlock } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { enrol, giveCustomRole } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'

const idOf = (n: number): string => `99999999-9999-7999-8999-${String(n).padStart(12, '0')}`
const SET = '/subscriptions/preview/impact/set'

await describeCompliance(
  'the impact of a set',
  { stores: BOTH_DATABASES, settings: { BILLING_ENABLED: 'true' } },
  (kit) => {
    let ada: SignedIn
    let poor: SignedIn
    let ids: string[]
    const put = ({ orgId }: SignedIn, n: number, attributes: object, target: 'plugin' | 'pipeline' = 'plugin') => {
      const entity = { id: idOf(n), name: `record ${n}`, revision: 1, attributes: { ...attributes } }
      kit.inventory.set(recordKey(orgId, target, idOf(n)), entity)
    }
    const ask = (as: SignedIn, ruleIds: unknown) => kit.call(as, 'POST', SET, { ruleIds })
    beforeAll(async () => {
      ada = await signUp(kit.app, 'ada')
      poor = await signUp(kit.app, 'poor')
      await unlock(kit, ada.orgId, ['compliance_standard'])
      const published = [
        await kit.publish(noLatest('no latest', { effectiveFrom: '2099-01-01T00:00:00Z' })),
        await kit.publish(noLatest('named', { field: 'name', operator: 'exists', value: undefined })),
        await kit.publish(
          noLatest('owned', { target: 'pipeline', field: 'owner', operator: 'exists', value: undefined }),
        ),
        await kit.publish(noLatest('of the standard set', { tags: ['set:standard'] })),
      ]
      ids = published.map(({ data }) => data.rule.id)
      // More than one page, so that a record between pages is counted once.
      for (let n = 0; n < 410; n++)
        put(ada, n, { version: n % 2 === 0 ? 'latest' : '1.0.0', ...(n % 4 === 0 ? {} : { name: 'n' }) })
      for (let n = 500; n < 505; n++) put(ada, n, n === 500 ? { owner: 'o' } : {}, 'pipeline')
      put(poor, 900, { version: 'latest' })
    })

    it('says of each rule what its own impact says, and counts a record once', async () => {
      const wanted = [ids[2], ids[0], ids[1]]
      const { data, status } = await ask(ada, wanted)
      expect(status).toBe(200)
      const alone = []
      for (const ruleId of wanted) {
        const {
          samples: _,
          truncated: __,
          ...counts
        } = (await kit.call(ada, 'POST', '/subscriptions/preview/impact', { ruleId })).data
        alone.push(counts)
      }
      expect(data.rules).toEqual(alone)
      expect(data.rules.map(({ wouldFail }: { wouldFail: number }) => wouldFail)).toEqual([4, 205, 103])
      expect(data.together).toMatchObject({ total: 415, wouldFail: 209 })
      expect(data.together.samples).toHaveLength(10)
      expect(data.together.samples[0]).toEqual({ entityType: 'plugin', entityId: idOf(0), entityName: 'record 0' })
      expect((await ask(ada, [ids[2]])).data.together).toMatchObject({ total: 5, wouldFail: 4 })
    })

    it('is over the own inventory', async () => {
      expect((await ask(poor, [ids[0]])).data.together).toMatchObject({ total: 1, wouldFail: 1 })
    })

    it('names the rule that the plan locks, and each id that is not a rule of the organization', async () => {
      const locked = await ask(poor, [ids[0], ids[3]])
      expect(locked).toMatchObject({ status: 403, body: { details: { requiredFeature: 'compliance_standard' } } })
      expect(locked.body.message).toContain('`of the standard set`')
      expect((await ask(ada, [ids[3]])).status).toBe(200)
      const own = (await kit.call(ada, 'POST', '/rules', noLatest('own'))).data.rule.id
      expect((await ask(ada, [own])).status).toBe(200)
      const foreign = await ask(poor, [ids[0], own])
      expect(foreign.status).toBe(400)
      expect(foreign.body.details.issues).toMatchObject([{ path: '/body/ruleIds/1' }])
    })

    it('takes 1 to 100 different ids, and needs `compliance:read`', async () => {
      for (const wrong of [[], [ids[0], ids[0]], Array.from({ length: 101 }, (_, n) => idOf(n)), ['x']])
        expect((await ask(ada, wrong)).status).toBe(400)
      const blind = await signUp(kit.app, 'blind')
      await enrol(kit.app, blind, ada.orgId, [])
      await giveCustomRole(kit.app, ada.orgId, blind.userId, ['plugins:read'])
      expect((await ask({ ...blind, orgId: ada.orgId }, [ids[0]])).status).toBe(403)
    })
  },
)
