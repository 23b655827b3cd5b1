/** The billing commands as a user runs them: what is printed, where, and with which exit code. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  apply,
  cents,
  consume,
  grant,
  instant,
  type LedgerOutcome,
  type LedgerRow,
  ledgerRows,
  openLedger,
  parseKeyRing,
  percent,
  type Result,
  sealToken,
} from '@plumbline/billing-core'
import { nodeCrypto } from '@plumbline/billing-core/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collector, memoryIo, type World } from '../../test/support/memory-io.js'
import { UsageError } from '../command.js'
import { parseCommandLine } from '../program/parse.js'
import { billingCommand } from './command.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'billing-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return name
}

async function billing(line: readonly string[], world: World = {}) {
  const [stdout, stderr] = [collector(), collector()]
  const io = memoryIo({ cwd: folder, ...world }, stdout.stream, stderr.stream)
  const parsed = parseCommandLine([billingCommand], ['billing', ...line])
  const end = (code: number, message = '') => ({ code, stdout: stdout.text(), stderr: stderr.text() + message })
  if (parsed.kind !== 'run') return end(2, JSON.stringify(parsed))
  const module = await parsed.spec.load?.()
  try {
    return end((await module?.run(parsed.invocation, io)) ?? 70)
  } catch (error) {
    if (error instanceof UsageError) return end(2, [error.message, ...error.details, error.hint ?? ''].join('\n'))
    throw error
  }
}

describe('limits', () => {
  test.each([
    ['limits', '--tier'],
    ['quote', '--plan'],
  ])('%s warns of add-ons that could not be bought', async (...command) => {
    const { code, stderr, stdout } = await billing([
      ...command,
      'pro',
      '--addon',
      'seat_pack',
      '--addon',
      'compliance_advanced',
    ])
    expect(code).toBe(0)
    expect(stderr.split('\n')).toEqual([
      'warning: seat_pack is not sold on tier pro; it is counted as an add-on that the account already holds',
      'warning: compliance_advanced grants nothing without compliance_standard; add it too',
      '',
    ])
    expect(stdout).not.toContain('warning')
    expect((await billing([...command, 'team', '--addon', 'seat_pack'])).stderr).toBe('')
  })

  test('show every limit with its sum, aligned', async () => {
    const { code, stdout } = await billing([
      'limits',
      '--tier',
      'team',
      '--addon',
      'plugin_pack=2',
      '--addon',
      'storage_pack',
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('plugins                   300  100 team + 2 × 100 plugin_pack')
    expect(stdout).toContain('storageBytes          200 GiB  150 GiB team + 1 × 50 GiB storage_pack')
    expect(stdout).toContain('dashboards          unlimited  team')
    expect(stdout).toContain('features: priority_support, ai_generation, bulk_operations, audit_log, sso')
  })

  test('as JSON they are the package’s result, with steps', async () => {
    const { stdout } = await billing(['limits', '--tier', 'pro', '--format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ tier: 'pro', limits: { seats: 3 }, steps: expect.any(Array) })
  })

  test('apply the overrides of the environment or of a file', async () => {
    const env = { QUOTA_TIER_PRO_SEATS: '8' }
    expect((await billing(['limits', '--tier', 'pro'], { env })).stdout).toMatch(/seats +8 /)
    const settings = file('settings.env', '# ours\nQUOTA_TIER_PRO_SEATS=9\n')
    expect((await billing(['limits', '--tier', 'pro', '--settings', settings], { env })).stdout).toMatch(/seats +9 /)
    const json = file('settings.json', { QUOTA_TIER_PRO_SEATS: '10' })
    expect((await billing(['limits', '--tier', 'pro', '--settings', json])).stdout).toMatch(/seats +10 /)
  })

  test.each([
    [['--addon', 'plugin_pak=2'], 'did you mean plugin_pack'],
    [['--addon', 'plugin_pack=-2'], 'VALIDATION_ERROR at --addon[0].quantity'],
    [['--addon', 'plugin_pack=1.5'], 'VALIDATION_ERROR at --addon[0].quantity'],
    [['--addon', 'plugin_pack=1e3'], 'VALIDATION_ERROR at --addon[0].quantity'],
    [['--addon', 'plugin_pack='], 'VALIDATION_ERROR at --addon[0].quantity'],
    [['--addon', 'plugin_pack=9007199254740993'], 'VALIDATION_ERROR at --addon[0].quantity'],
    [['--addon', 'sso', '--addon', 'sso'], 'VALIDATION_ERROR at --addon[1].bundleId'],
  ])('%j is refused with exit 2 and named', async (addons, message) => {
    const { code, stderr, stdout } = await billing(['limits', '--tier', 'team', ...addons])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  test('malformed settings are all named', async () => {
    const env = { QUOTA_TIER_PRO_SEATS: 'many', BILLING_PLAN_PRO_MONTHLY: '4.90' }
    const { code, stderr } = await billing(['limits', '--tier', 'pro'], { env })
    expect(code).toBe(2)
    expect(stderr).toContain('QUOTA_TIER_PRO_SEATS must be a whole number from -1')
    expect(stderr).toContain('BILLING_PLAN_PRO_MONTHLY must be a whole number from 0')
  })

  test('a missing or unknown tier is a usage error', async () => {
    expect((await billing(['limits'])).code).toBe(2)
    expect((await billing(['limits', '--tier', 'gold'])).code).toBe(2)
  })
})

describe('quote', () => {
  const suite = ['--addon', 'advanced_reporting', '--addon', 'team_usage_analytics']

  test('prints lines, credit and total in dollars; what combos save is part of the credit', async () => {
    const { stdout } = await billing(['quote', '--plan', 'team', ...suite, '--credit', '25.50'])
    expect(stdout).toBe(
      [
        'line                  quantity   amount',
        'Team plan                    1  $149.00',
        'Advanced reporting           1   $30.00',
        'Team usage analytics         1   $30.00',
        'Credit                       1  -$43.50',
        'Total monthly                   $165.50',
        'Credit left                       $0.00',
        '',
      ].join('\n'),
    )
  })

  test('resolves discounts as credit and explains them', async () => {
    const { stdout } = await billing([
      'quote',
      '--plan',
      'pro',
      '--interval',
      'annual',
      '--discount',
      '15:%:onetime',
      '--explain',
    ])
    expect(stdout).toMatch(/Total annual +\$416\.50/)
    expect(stdout).toContain('15 % of $490.00 = $73.50, half a cent rounded up')
  })

  test('as JSON it carries cents', async () => {
    const { stdout } = await billing(['quote', '--plan', 'pro', '-f', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ totalCents: 4_900, interval: 'monthly' })
  })

  test.each(['-5', '2.5', '1e3', 'free', '25.555', ''])('the credit %j is refused', async (credit) => {
    const { code, stderr } = await billing(['quote', '--plan', 'pro', `--credit=${credit}`])
    expect(code).toBe(2)
    expect(stderr).toContain('--credit')
  })

  test('a malformed discount is refused with the field', async () => {
    const { code, stderr } = await billing(['quote', '--plan', 'pro', '--discount', '20:percent'])
    expect([code, stderr.includes('VALIDATION_ERROR at --discount')]).toEqual([2, true])
  })
})

describe('discount', () => {
  const keys = `v1:${Buffer.alloc(32, 1).toString('base64')}`
  const ring = parseKeyRing(keys)
  const sealed = sealToken(
    nodeCrypto,
    ring.ok ? ring.value : null,
    { id: 'disc_1', unit: 'percent', value: percent(20), kind: 'recurring', targetOrgId: 'org_a' },
    new Uint8Array(12),
  )
  const token = sealed.ok ? sealed.value : ''
  const env = { BILLING_DISCOUNT_KEYS: keys }

  test('parse says what the form means', async () => {
    const { code, stdout } = await billing(['discount', 'parse', '50:$:CREDIT:launch'])
    expect(code).toBe(0)
    expect(stdout).toContain('value      $50.00')
    expect(stdout).toContain('canonical  50:dollar:credit:launch')
  })

  test('parse applies the deployment’s ceilings', async () => {
    const { code, stderr } = await billing(['discount', 'parse', '50:%:onetime'], {
      env: { BILLING_DISCOUNT_MAX_PERCENT: '30' },
    })
    expect(code).toBe(2)
    expect(stderr).toContain('DISCOUNT_CEILING_EXCEEDED at value: value must be at most 30 percent')
  })

  test('inspect opens a token with keys from the environment or a file, and from stdin', async () => {
    const direct = await billing(['discount', 'inspect', token], { env })
    expect(direct).toMatchObject({ code: 0, stdout: expect.stringContaining('20 % of the plan price') })
    const path = file('keys.txt', `${keys}\n`)
    expect(await billing(['discount', 'inspect', token, '--keys-file', path])).toEqual(direct)
    expect(await billing(['discount', 'inspect', '-'], { env, stdin: `${token}\n` })).toEqual(direct)
    const json = await billing(['discount', 'inspect', token, '--format', 'json'], { env })
    expect(JSON.parse(json.stdout)).toMatchObject({ id: 'disc_1', targetOrgId: 'org_a' })
  })

  test.each([
    ['altered', (text: string) => `${text.slice(0, -2)}AA`],
    ['of another version', (text: string) => text.replace('v1.', 'v2.')],
    ['no token', () => 'SPRING'],
    ['enormous', () => `v1.${'A'.repeat(5_000)}`],
  ])('a token that is %s exits 1 and prints nothing', async (_name, forge) => {
    const { code, stdout, stderr } = await billing(['discount', 'inspect', forge(token)], { env })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('DISCOUNT_NOT_FOUND')
  })

  test('without or with malformed keys it is a usage error that does not show them', async () => {
    expect((await billing(['discount', 'inspect', token])).code).toBe(2)
    const { code, stderr } = await billing(['discount', 'inspect', token], {
      env: { BILLING_DISCOUNT_KEYS: 'v1:hunter2' },
    })
    expect(code).toBe(2)
    expect(stderr).not.toContain('hunter2')
  })
})

describe('meter', () => {
  const account = { addons: [{ bundleId: 'seat_pack', quantity: 3 }], creditCents: 6_000 }
  const env = { MARKETPLACE_BUNDLE_DIMENSION_MAP: 'listing', MARKETPLACE_DIMENSION_PRICE_MAP: 'listing' }

  test('shows units, withheld and reported per dimension', async () => {
    const path = file('account.json', account)
    const { code, stdout } = await billing(['meter', '--dry-run', path], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('SeatPack       3  $25.00         2  $50.00         1')
    expect(stdout).toContain('credit $60.00, used $50.00, left $10.00')
  })

  test('takes several accounts and answers as JSON', async () => {
    const path = file('accounts.json', [account, { ...account, account: 'b', creditCents: 5 }])
    const { stdout } = await billing(['meter', '--dry-run', path, '--format', 'json'], { env })
    expect(JSON.parse(stdout)).toMatchObject([{ consumedCents: 5_000 }, { account: 'b', isUnrealizable: true }])
  })

  test('without --dry-run it refuses: it never meters', async () => {
    expect((await billing(['meter', file('account.json', account)], { env })).stderr).toContain('--dry-run is required')
  })

  test.each([
    [{ ...account, creditCents: -1 }, 'creditCents must not be negative'],
    [{ ...account, creditCents: 0.5 }, 'creditCents must be a whole number'],
    [{ addons: [{ bundleId: 'gold', quantity: 1 }] }, 'addons[0].bundleId'],
    [{ addons: {} }, 'addons must be a list'],
    [[[]], '[0].: must be'],
    ['{', 'is not JSON'],
  ])('malformed content is refused, case %#', async (content, message) => {
    const { code, stderr } = await billing(['meter', '--dry-run', file('bad.json', content)], { env })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  test('a malformed map is refused by its name', async () => {
    const path = file('account.json', account)
    const { code, stderr } = await billing(['meter', '--dry-run', path], {
      env: { MARKETPLACE_DIMENSION_PRICE_MAP: '{"S":1.5}' },
    })
    expect([code, stderr.includes('MARKETPLACE_DIMENSION_PRICE_MAP')]).toEqual([2, true])
  })
})

describe('ledger check', () => {
  const at = instant('2026-03-01T00:00:00.000Z')
  const rows = (): readonly LedgerRow[] => {
    const opened = openLedger([])
    if (!opened.ok) throw new Error('an empty ledger opens')
    const { state } = opened
    const owner = { orgId: 'org_a', subscriptionId: 'sub_1', at }
    const commit = (result: Result<LedgerOutcome>): void => {
      if (result.ok) apply(state, result.value)
    }
    commit(grant(state, { ...owner, id: 'cr_1', sourceId: 'promo:p', cents: cents(5_000), dedupeKey: 'promo:p:org_a' }))
    commit(consume(state, { ...owner, id: 'cr_2', sourceId: 'provider', cents: cents(1_250), dedupeKey: 'inv:1' }))
    return ledgerRows(state)
  }

  test('a sound ledger shows its balances and exits 0, as array, as lines and from stdin', async () => {
    const array = await billing(['ledger', 'check', file('ledger.json', rows())])
    expect(array).toMatchObject({ code: 0, stdout: expect.stringContaining('account org_a: 2 rows, sound') })
    expect(array.stdout).toContain('sub_1          $37.50')
    const lines = `${rows()
      .map((row) => JSON.stringify(row))
      .join('\n')}\n`
    expect(await billing(['ledger', 'check', file('ledger.jsonl', lines)])).toEqual(array)
    expect(await billing(['ledger', 'check', '-'], { stdin: lines })).toEqual(array)
  })

  test('an edited one names rule, row and figures, and exits 1 in both formats', async () => {
    const edited = rows().map((row) => (row.seq === 1 ? { ...row, remainingCents: 4_999 } : row))
    const path = file('edited.json', edited)
    const { code, stdout, stderr } = await billing(['ledger', 'check', path])
    expect(code).toBe(1)
    expect(stdout).toContain('remaining_differs  sub_1           1  cr_1  remainingCents is 4999, replay gives 3750')
    expect(stderr).toContain('2 rows of 1 account, 1 finding')
    const json = await billing(['ledger', 'check', path, '--format', 'json'])
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      accounts: [{ findings: [{ code: 'remaining_differs', seq: 1 }] }],
    })
  })

  test('several accounts are checked apart', async () => {
    const both = [...rows(), ...rows().map((row) => ({ ...row, orgId: 'org_b' }))]
    expect((await billing(['ledger', 'check', file('both.json', both)])).stdout).toContain(
      'account org_b: 2 rows, sound',
    )
  })

  test.each(['', '{"id":', '[1]', '5', '"x"\n'])('%j is not a ledger: exit 2', async (content) => {
    expect((await billing(['ledger', 'check', file('bad.jsonl', content)])).code).toBe(2)
  })

  test('rows with missing columns are findings, not a crash', async () => {
    const { code, stdout } = await billing(['ledger', 'check', file('thin.jsonl', '{}\n{"orgId":"a"}\n')])
    expect([code, stdout.includes('malformed')]).toEqual([1, true])
  })

  test('a file that is not there is a usage error', async () => {
    expect((await billing(['ledger', 'check', 'nowhere.json'])).stderr).toContain('there is no file')
  })
})

test('every subcommand has a summary, examples and a module', async () => {
  const leaves = (spec: typeof billingCommand): (typeof billingCommand)[] =>
    spec.subcommands === undefined ? [spec] : spec.subcommands.flatMap(leaves)
  for (const leaf of leaves(billingCommand)) {
    expect(leaf.examples.length).toBeGreaterThan(0)
    expect(typeof (await leaf.load?.())?.run).toBe('function')
  }
})
