/**
 * Goal: a search finds the organization's own records with findings and its exemptions, by name and id, and none of
 * another organization.
 */
import { nameKey } from '@plumbline/engine'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { signUp } from '../../test/support/compliance.js'
import { describeCompliance } from '../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../test/support/describe-stores.js'
import type { SignedIn } from '../../test/support/sign-in.js'
import { complianceTables } from './tables.js'

const uuid = (n: number) => `88888888-8888-7888-8888-${String(n).padStart(12, '0')}`
const NAMES = ['Checkout', 'check-in', 'Überweisung', 'web 100%', 'web_1', 'a', 'search.check', 'CHECKOUT-2']

await describeCompliance('a search', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    bob = await signUp(kit.app, 'bob')
    await kit.app.runtime.store.system.write(async (tx) => {
      const { findings, exemptions } = complianceTables(tx)
      for (const [n, name] of NAMES.entries()) {
        // Every second record belongs to the other organization; each record violates two rules.
        const orgId = n % 2 === 0 ? ada.orgId : bob.orgId
        const violation = { description: null, declaredSeverity: null, source: 'own', policyIds: [], message: 'no' }
        const seen = {
          firstSeenAtMs: 1,
          sinceMs: 1,
          lastSeenAtMs: 1,
          checkedAtMs: 1,
          checkId: uuid(900),
          action: 'scan',
        }
        for (const rule of [100, 101]) {
          await tx.insert(findings).values({
            id: uuid(rule * 1000 + n),
            ...{ orgId, target: 'pipeline', entityId: uuid(n), entityName: name, entityNameKey: nameKey(name) },
            ...{
              ruleId: uuid(rule),
              ruleName: 'r',
              ruleNameKey: 'r',
              severity: 'error',
              severityRank: 2,
              source: 'own',
            },
            ...{ violation, ...seen },
          })
        }
        await tx.insert(exemptions).values({
          id: uuid(500 + n),
          ...{
            orgId,
            reviewOrgId: orgId,
            ruleId: uuid(100),
            entityType: 'pipeline',
            entityId: uuid(n),
            entityName: name,
          },
          ...{ reason: `because of ${name}`, status: 'approved', expiresAtMs: 1, revision: 1 },
          ...{ createdAtMs: n, updatedAtMs: n },
        })
      }
    })
  })

  const search = async (as: SignedIn, q: string, kinds = 'finding,exemption') => {
    const answer = await kit.app.call('GET', `/search?limit=20&kinds=${kinds}&q=${encodeURIComponent(q)}`, { as })
    expect(answer.status, q).toBe(200)
    return answer.data.results as { kind: string; id: string; name: string; detail: string }[]
  }

  it('finds what holds a text, of the own organization, each record once', async () => {
    const letters = fc.constantFrom(
      'check',
      'CHECK',
      'ü',
      'Ü',
      '%',
      '_',
      'web',
      'a',
      '1',
      'out',
      '.',
      'zzz',
      "'",
      '"',
      '\\',
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 1), letters, async (whose, text) => {
        const own = NAMES.flatMap((name, n) => (n % 2 === whose ? [{ n, name }] : []))
        const found = await search(whose === 0 ? ada : bob, text)
        const named = own.filter(({ name }) => nameKey(name).includes(nameKey(text)))
        const waived = own.filter(({ name }) => `because of ${name}`.toLowerCase().includes(text.toLowerCase()))
        const ids = (kind: string) => found.filter((each) => each.kind === kind).map(({ id }) => id)
        expect(ids('finding').sort()).toEqual(named.map(({ n }) => uuid(n)).sort())
        expect(ids('exemption').sort()).toEqual(waived.map(({ n }) => uuid(500 + n)).sort())
      }),
      { numRuns: 40 },
    )
  })

  it('puts the whole name first, then its beginning, then a part of it', async () => {
    expect((await search(ada, 'CHECKOUT', 'finding')).map(({ name }) => name)).toEqual(['Checkout'])
    expect((await search(ada, 'check', 'finding')).map(({ name }) => name)).toEqual(['Checkout', 'search.check'])
    expect((await search(bob, 'check', 'finding')).map(({ name }) => name)).toEqual(['check-in', 'CHECKOUT-2'])
  })

  it('finds by the id what is the own alone, and says that an exemption is over', async () => {
    expect(await search(ada, uuid(0).toUpperCase())).toEqual([
      { kind: 'finding', id: uuid(0), name: 'Checkout', detail: 'pipeline' },
      { kind: 'exemption', id: uuid(500), name: 'Checkout', detail: 'expired' },
    ])
    expect(await search(bob, uuid(0))).toEqual([])
    expect(await search(bob, uuid(500))).toEqual([])
    expect((await search(ada, uuid(500))).map(({ id }) => id)).toEqual([uuid(500)])
  })
})
