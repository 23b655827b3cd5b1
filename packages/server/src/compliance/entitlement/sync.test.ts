/** Goal: when pushes arrive twice, late or in any order, the push with the latest time decides, and opt-outs stay. */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, noLatest, signUp, unlock } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import { complianceRows } from '../../../test/support/table-rows.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'

const body = (name: string, ...sets: string[]) => noLatest(name, { tags: sets.map((set) => `set:${set}`) })

await describeCompliance(
  'the entitlement sync',
  { stores: WITH_POSTGRESQL, settings: { BILLING_ENABLED: 'true' } },
  (kit) => {
    let ada: SignedIn
    const ids = new Map<string, string>()
    beforeAll(async () => {
      ada = await signUp(kit.app, 'ada')
      await unlock(kit, ada.orgId, ['compliance_standard', 'compliance_advanced'])
      for (const [name, ...sets] of [
        ['s1', 'standard'],
        ['s2', 'standard'],
        ['a1', 'advanced'],
        ['both', 'standard', 'advanced'],
        ['free'],
      ]) {
        ids.set(name as string, (await kit.publish(body(name as string, ...sets))).data.rule.id)
      }
    })
    const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
    const push = async (as: SignedIn, sets: string[], occurredAt?: string) =>
      (
        await call(kit.root, 'PUT', `/entitlements/${as.orgId}`, {
          sets,
          ...(occurredAt === undefined ? {} : { occurredAt }),
        })
      ).data
    const active = async (as: SignedIn) =>
      (await call(as, 'GET', '/subscriptions/enforced')).data.rules.map(({ name }: { name: string }) => name).sort()
    const read = async (as: SignedIn) => (await call(kit.root, 'GET', `/entitlements/${as.orgId}`)).data

    it('gains and loses what the sets hold; of both sets the higher counts', async () => {
      expect(await push(ada, ['standard', 'standard', 'golden'])).toEqual({
        ok: true,
        activated: 2,
        deactivated: 0,
        ignored: ['golden'],
      })
      expect(await active(ada)).toEqual(['s1', 's2'])
      const told = (await evidence(kit.app)).length
      expect(await push(ada, ['standard'])).toMatchObject({ activated: 0, deactivated: 0 })
      expect((await evidence(kit.app)).length).toBe(told)
      expect(await push(ada, ['advanced'])).toMatchObject({ deactivated: 2, ignored: ['advanced'] })
      expect(await active(ada)).toEqual([])
      expect(await push(ada, ['standard', 'advanced'])).toMatchObject({ activated: 4 })
      expect(await read(ada)).toEqual({ sets: ['standard', 'advanced'], watermark: null })
      expect(await push(ada, ['standard'])).toMatchObject({ deactivated: 2 })
      expect(await active(ada)).toEqual(['s1', 's2'])
    })

    it('what somebody switched off stays off, until the set is gained again', async () => {
      const bob = await signUp(kit.app, 'bob')
      await unlock(kit, bob.orgId, ['compliance_standard'])
      const free = ids.get('free') ?? ''
      await call(bob, 'POST', '/subscriptions', { ruleId: free })
      await call(bob, 'PATCH', `/subscriptions/${free}`, { isActive: true })
      await push(bob, ['standard'])
      await call(bob, 'PATCH', `/subscriptions/${ids.get('s1')}`, { isActive: false })
      await call(bob, 'DELETE', `/subscriptions/${ids.get('s2')}`)
      expect(await push(bob, ['standard'])).toMatchObject({ activated: 0 })
      expect(await active(bob)).toEqual(['free'])
      await push(bob, [])
      expect(await push(bob, ['standard'])).toMatchObject({ activated: 2 })
      expect(await active(bob)).toEqual(['free', 's1', 's2'])
    })

    it('is for billing and the operators, and never for the system organization', async () => {
      expect((await call(ada, 'PUT', `/entitlements/${ada.orgId}`, { sets: ['standard'] })).status).toBe(403)
      const system = await call(kit.root, 'PUT', `/entitlements/${SYSTEM_ORG_ID}`, { sets: ['standard'] })
      expect(system.data).toMatchObject({ activated: 0 })
    })

    it('a push that is repeated writes no row at all, and no evidence', async () => {
      const cyd = await signUp(kit.app, 'cyd')
      const at = '2026-02-01T00:00:00.000Z'
      await push(cyd, ['standard'], at)
      await push(cyd, ['standard'])
      const before = await complianceRows(kit.store)
      expect(await push(cyd, ['standard'])).toMatchObject({ activated: 0, deactivated: 0 })
      expect(await push(cyd, ['standard', 'golden'], at)).toMatchObject({ skipped: true })
      expect(await push(cyd, [], '2026-01-01T00:00:00.000Z')).toMatchObject({ skipped: true })
      expect(await complianceRows(kit.store)).toEqual(before)
      // The first push for an account without sets writes nothing either.
      const dan = await signUp(kit.app, 'dan')
      await push(dan, [])
      const { entitlements, subscriptions } = await complianceRows(kit.store)
      expect(`${entitlements}${subscriptions}`).not.toContain(dan.orgId)
    })

    it('pushes at once, shuffled and doubled, end as they do one after another', { timeout: 240_000 }, async () => {
      let accounts = 0
      const at = (n: number) => new Date(Date.UTC(2026, 0, 1, n)).toISOString()
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.subarray(['standard', 'advanced']), { minLength: 2, maxLength: 4 }),
          fc.infiniteStream(fc.nat(100)),
          async (pushes, random) => {
            const settle = async (order: readonly number[], isAtOnce: boolean) => {
              accounts += 1
              const orgId = `66666666-6666-7666-8666-${String(accounts).padStart(12, '0')}`
              const as = { ...ada, orgId }
              const each = (n: number) => push(as, pushes[n] ?? [], at(n))
              const answers: { activated: number; deactivated: number }[] = []
              if (isAtOnce) answers.push(...(await Promise.all(order.map(each))))
              else for (const n of order) answers.push(await each(n))
              const { sets, watermark } = await read(as)
              const told = (await evidence(kit.app)).filter((entry) => entry.orgId === orgId).length
              // Each change has one audit event, whichever of the concurrent pushes made it.
              expect(told).toBe(answers.reduce((sum, { activated, deactivated }) => sum + activated + deactivated, 0))
              const active = (await complianceRows(kit.store))['subscriptions']
                ?.split('\n')
                .filter((row) => row.includes(orgId) && row.includes('"isActive":true'))
                .map((row) => (JSON.parse(row) as { ruleId: string }).ruleId)
              return { sets, watermark, active: active?.sort() }
            }
            const inOrder = pushes.map((_, n) => n)
            const shuffled = [...inOrder, ...inOrder]
              .map((n) => ({ n, by: random.next().value as number }))
              .sort((a, b) => a.by - b.by)
              .map(({ n }) => n)
            const expected = await settle(inOrder, false)
            expect(await settle(shuffled, false)).toEqual(expected)
            expect(await settle(shuffled, true)).toEqual(expected)
          },
        ),
        { numRuns: 8 },
      )
    })

    it('ends in the state of the newest push, however often and in whatever order they come', async () => {
      let people = 0
      const at = (n: number) => new Date(Date.UTC(2026, 0, 1, n)).toISOString()
      const some = fc.subarray(['standard', 'advanced'])
      await fc.assert(
        fc.asyncProperty(
          fc.array(some, { minLength: 1, maxLength: 4 }),
          fc.array(fc.nat(100), { minLength: 8, maxLength: 8 }),
          async (pushes, order) => {
            people += 1
            const orgId = `77777777-7777-7777-8777-${String(people).padStart(12, '0')}`
            const as = { ...ada, orgId }
            const newest = pushes.length - 1
            for (const each of [...order.map((n) => n % pushes.length), newest])
              await push(as, pushes[each] ?? [], at(each))
            const { sets, watermark } = await read(as)
            const wanted = pushes[newest] ?? []
            expect(sets).toEqual(wanted.includes('standard') ? wanted : [])
            expect(watermark).toBe(at(newest))
            expect(await push(as, [], at(newest))).toMatchObject({ skipped: true })
          },
        ),
        { numRuns: 8 },
      )
    })
  },
)
