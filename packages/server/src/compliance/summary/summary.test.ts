/** Goal: a summary adds up the counts of its own organization and its days, and reads few rows for it. */
import { beforeAll, expect, it } from 'vitest'
import { signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { DAY_MS } from '../../runtime/clock.js'
import { complianceTables } from '../tables.js'
import { countsByDay, countsByRule } from './counts.js'

const SHARES = 8
const RULES = 60
const DAYS = 4
const nameOf = (rule: number): string => `rule-${String(rule).padStart(2, '0')}`
/** Two rules have the same count. */
const checksOf = (rule: number): number => RULES - Math.floor(rule / 2)

await describeCompliance('a summary', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let today: number
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    const bob = await signUp(kit.app, 'bob')
    today = Math.floor(kit.app.clock.now() / DAY_MS)
    for (const { orgId } of [ada, bob]) {
      for (let ago = 0; ago < DAYS; ago++) {
        const dayMs = (today - ago) * DAY_MS
        const counted = [
          ...Array.from({ length: RULES }, (_, rule) => ({
            ...{ kind: 'rule', name: nameOf(rule), label: ago === 0 ? `a new name of ${rule}` : `old ${rule}` },
            checks: checksOf(rule),
          })),
          ...['pass', 'block'].map((name, at) => ({ kind: 'result', name, label: null, checks: 10 + at })),
          { kind: 'severity', name: 'error', label: null, checks: 11 },
        ]
        const rows = counted.flatMap((each) =>
          Array.from({ length: SHARES }, (_, share) => ({
            ...each,
            ...{ id: `${orgId} ${dayMs} ${share} ${each.kind} ${each.name}`, orgId, dayMs },
          })),
        )
        await kit.store.system.write((tx) => tx.insert(complianceTables(tx).checkDays).values(rows))
      }
    }
  })

  it('adds up the shares of each count, and names the 50 rules that most checks violated', async () => {
    const { data } = await kit.call(ada, 'GET', '/summary?days=2')
    expect(data.checks).toEqual({ pass: 2 * SHARES * 10, warn: 0, block: 2 * SHARES * 11 })
    expect(data.days).toEqual(
      [1, 0].map((ago) => ({
        day: new Date((today - ago) * DAY_MS).toISOString().slice(0, 10),
        checks: { pass: SHARES * 10, warn: 0, block: SHARES * 11 },
        severities: { warning: 0, error: SHARES * 11, critical: 0 },
      })),
    )
    expect(data.rules).toEqual(
      Array.from({ length: 50 }, (_, rule) => ({
        ruleId: nameOf(rule),
        ruleName: `a new name of ${rule}`,
        checks: 2 * SHARES * checksOf(rule),
      })),
    )
  })

  it('reads a row for each sum, not one for each share, rule and day', async () => {
    const period = { orgId: ada.orgId, fromMs: (today - 365) * DAY_MS, untilMs: (today + 1) * DAY_MS }
    const [byDay, byRule] = await kit.store.system.read(async (db) => [
      await countsByDay(db, period),
      await countsByRule(db, period, 50),
    ])
    expect(byDay).toHaveLength(3 * DAYS)
    expect(byRule).toHaveLength(50)
  })
})
