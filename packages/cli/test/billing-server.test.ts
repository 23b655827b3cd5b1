/**
 * The billing commands against a real server in this process. One of them moves an organization from the tier developer
 * to pro.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startFakeCard, startFakeMarketplace } from '@plumbline/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PASSWORD, PERSON, type PersonServer, personServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

const BIN = fileURLToPath(new URL('../bin/plumbline.js', import.meta.url))
let server: PersonServer

beforeAll(async () => {
  server = await personServer({ BILLING_ENABLED: 'true', BILLING_BUNDLES_ENABLED: 'true' })
  await cli(['login'], `${PERSON}\n${PASSWORD}\n`)
})
afterAll(() => remove(server))

const cli = (argv: string[], stdin?: string) =>
  runCli(argv, { env: server.env, cwd: server.folder, now: new Date(), ...(stdin === undefined ? {} : { stdin }) })
const read = async (...argv: string[]) => {
  const outcome = await cli(argv)
  expect(outcome.code, outcome.stderr).toBe(0)
  return parse(outcome.stdout)
}

const pipeline = (project: string) =>
  JSON.stringify({
    kind: 'Pipeline',
    project,
    organization: 'acme',
    props: { synth: { source: { type: 'github', options: { repo: `acme/${project}` } }, plugin: { name: 'build' } } },
  })
const apply = async (project: string) => {
  const file = `${project}.json`
  writeFileSync(join(server.folder, file), pipeline(project))
  return cli(['pipelines', 'apply', file])
}

it('makes a developer organization pro, and the next pipeline beyond five is accepted', async () => {
  expect((await cli(['billing', 'plans'])).stdout).toMatch(/^pro +Pro +4900 +49000$/m)
  for (const project of ['one', 'two', 'three', 'four', 'five']) {
    const outcome = await apply(project)
    expect(outcome.code, outcome.stderr + outcome.stdout).toBe(0)
  }
  const refused = await apply('six')
  expect(refused.code).not.toBe(0)
  expect(refused.stdout + refused.stderr).toContain('QUOTA_EXCEEDED')
  const bought = await read('billing', 'subscribe', 'pro', '-f', 'yaml')
  expect(bought).toMatchObject({ planId: 'pro', status: 'active' })
  const accepted = await apply('six')
  expect(accepted.code, accepted.stderr + accepted.stdout).toBe(0)
})

it('shows, previews, changes, cancels and lists', async () => {
  const preview = await read('billing', 'preview', '--plan', 'team')
  const lines = preview.invoiceNow.lines as { label: string; reason: string }[]
  expect(lines.map(({ label }) => label)).toEqual(['Unused time of Pro plan', 'Remaining time of Team plan'])
  const token = ['--preview-token', preview.previewToken]
  expect(await read('billing', 'change', '--plan', 'team', ...token)).toMatchObject({ planId: 'team' })
  const next = await read('billing', 'next-invoice', '--addons', 'seat_pack:2')
  expect(next.totalCents).toBe(14_900 + 5_000)
  expect(await read('billing', 'change', '--interval', 'annual')).toMatchObject({
    pendingChange: { interval: 'annual' },
  })
  expect(await read('billing', 'drop-change')).toMatchObject({ pendingChange: null })
  const cancelled = await cli(['billing', 'cancel', '--yes'], `${PASSWORD}\n`)
  expect(cancelled.code, cancelled.stderr).toBe(0)
  expect(await read('billing', 'reactivate')).toMatchObject({ cancelAtPeriodEnd: false })
  const invoices = await read('billing', 'invoices', '-f', 'json')
  expect(invoices).toHaveLength(2)
  expect(await read('billing', 'invoice', invoices[0].id)).toMatchObject({ id: invoices[0].id, status: 'paid' })
  expect(await read('billing', 'summary', '-f', 'yaml')).toMatchObject({
    scope: 'account',
    invoiceCount: invoices.length,
  })
  const chart = (await cli(['billing', 'summary'])).stdout
  expect(chart).toMatch(
    /^\$[\d,.]+ billed on 2 invoices, \$[\d,.]+ paid, \$0\.00 credit left\n\n\d{4}-\d\d +\$[\d,.]+ {2}█{48}\n█ paid/,
  )
  expect(chart).toMatch(/^net +\$[\d,.]+$/m)
  expect((await cli(['billing', 'usage'])).stdout).toMatch(/^pipelines +6 /m)
  expect((await cli(['billing', 'allocation'])).stdout).toMatch(/ 1 +\d+ /)
  const exports = ['billing', 'ledger', 'export', '--output', 'ledger.jsonl']
  expect((await cli(exports)).stderr).toContain('wrote ledger.jsonl')
  expect((await cli(['billing', 'ledger', 'check', 'ledger.jsonl'])).code).toBe(0)
  expect((await cli(['billing', 'events'])).stdout).toMatch(/subscription_reactivated/)
  expect((await cli(['billing', 'subscribe', 'gold'])).stderr).toContain('<plan>')
})

it('takes add-ons by name, without the id of the subscription', async () => {
  expect((await cli(['billing', 'addons', 'list'])).stdout).toMatch(/^api_pack +.* 2000 +20000/m)
  const preview = await read('billing', 'addons', 'preview', 'api_pack', '--quantity', '2')
  const set = ['billing', 'addons', 'set', 'api_pack', '--quantity', '2', '--preview-token', preview.previewToken]
  expect(await read(...set)).toMatchObject({ invoiceNow: preview.invoiceNow, priceBreakdown: preview.priceBreakdown })
  const both = await read('billing', 'preview', '--addon', 'api_pack=0', '--addon', 'seat_pack')
  expect(both.addons).toEqual([{ bundleId: 'seat_pack', quantity: 1 }])
  const unknown = await cli(['billing', 'addons', 'set', 'api_pak'])
  expect(unknown.stderr).toContain('did you mean api_pack')
  expect(await read('billing', 'addons', 'remove', 'api_pack', '--yes')).toMatchObject({ addons: [] })
})

it('redeems a code that an operator made', async () => {
  const made = await cli(['billing', 'admin', 'discounts', 'create', '20:percent:onetime', '--alias', 'LAUNCH20'])
  // This person is not an operator. The command exists for them, and the server refuses.
  expect(made.stderr).toContain('INSUFFICIENT_PERMISSIONS')
  const unknown = await cli(['billing', 'redeem', 'LAUNCH20'])
  expect(unknown.stderr).toContain('DISCOUNT_NOT_FOUND')
})

it('compares the card provider with what is sold here, and makes what it lacks', async () => {
  const fake = await startFakeCard({ port: 0, shape: 'new', webhookUrl: 'http://127.0.0.1:9/none' })
  try {
    const env = { ...server.env, ...fake.settings, PUBLIC_URL: 'https://billing.example' }
    const run = (...argv: string[]) =>
      runCli(['billing', 'provider', ...argv], { env, cwd: server.folder, now: new Date() })
    const before = await run('check')
    expect([before.code, before.stdout]).toEqual([2, expect.stringContaining('the provider has no endpoint')])
    const planned = await run('setup')
    expect(planned.stdout).toContain('missing; --apply creates it:')
    const made = await run('setup', '--apply')
    expect(made.stdout).toContain('CARD_PROVIDER_WEBHOOK_SECRET=whsec_fake')
    const after = await run('check', '--json')
    expect([after.code, JSON.parse(after.stdout)]).toEqual([0, expect.objectContaining({ ok: true })])
    const doctor = await runCli(['doctor', '--server'], { env, cwd: server.folder, now: new Date() })
    expect(doctor.stdout).toContain('the card provider fits what is sold here')
    await fake.close()
    const away = await runCli(['doctor', '--server'], { env, cwd: server.folder, now: new Date() })
    expect(away.stdout).toContain('the card provider does not answer')
  } finally {
    await fake.close()
  }
})

it('compares the marketplace with the settings, and says what the listing needs', async () => {
  const fake = await startFakeMarketplace({ port: 0, endpoint: 'http://127.0.0.1:9/none', version: '2' })
  try {
    const env = { ...server.env, ...fake.settings, PUBLIC_URL: 'https://billing.example' }
    const run = (argv: string[], more: Record<string, string> = {}) =>
      runCli(argv, { env: { ...env, ...more }, cwd: server.folder, now: new Date() })
    const found = await run(['billing', 'provider', 'check', '--json'])
    expect(found.code, found.stdout + found.stderr).toBe(0)
    const texts = JSON.parse(found.stdout).findings.map(({ text }: { text: string }) => text)
    expect(texts[0]).toMatch(/^the marketplace answers for the product .+ in us-east-1$/)
    const setup = (await run(['billing', 'provider', 'setup'])).stdout
    expect(setup).toContain('https://billing.example/api/billing/marketplace/notifications')
    expect(setup).toContain('metered dimension SeatPack')
    expect((await run(['doctor', '--server'])).stdout).toContain('the marketplace fits what is sold here')
    const without = await run(['billing', 'provider', 'check'], { MARKETPLACE_SNS_TOPIC_ARN: '' })
    expect([without.code, without.stdout]).toEqual([2, expect.stringContaining('MARKETPLACE_SNS_TOPIC_ARN is not set')])
    await fake.close()
    const away = await run(['doctor', '--server'])
    expect(away.stdout).toContain('the marketplace does not answer')
  } finally {
    await fake.close()
  }
})

it('is for a host with a card provider', async () => {
  const outcome = await cli(['billing', 'provider', 'check'])
  expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringContaining('BILLING_PROVIDER is stub')])
})

it('takes over a purchase at a marketplace, once, and moves one to an organization of one’s own', async () => {
  const fake = await startFakeMarketplace({ port: 0, endpoint: 'http://127.0.0.1:9/none', version: '2' })
  const shop = await personServer({ ...fake.settings, BILLING_BUNDLES_ENABLED: 'true' })
  const run = (argv: string[], stdin?: string) =>
    runCli(argv, { env: shop.env, cwd: shop.folder, now: new Date(), ...(stdin === undefined ? {} : { stdin }) })
  const buys = async (dimension: string): Promise<string> => {
    const bought = await post(`${fake.url}/_fake/buy`, { kind: 'license', dimension })
    const resolved = await post(`${shop.url}/api/billing/marketplace/resolve`, { token: bought.token })
    return resolved.data.claim.token
  }
  try {
    await run(['login'], `${PERSON}\n${PASSWORD}\n`)
    const token = await buys('pro')
    const claimed = await run(['billing', 'claim', token, '--json'])
    expect(claimed.code, claimed.stderr).toBe(0)
    const { orgId, subscription } = JSON.parse(claimed.stdout)
    expect(subscription).toMatchObject({ planId: 'pro', status: 'active' })
    const again = await run(['billing', 'claim', token])
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('CLAIM_NOT_FOUND')])
    const team = await buys('team')
    const taken = await run(['billing', 'claim', team, '--into', orgId])
    expect(taken.stderr).toContain('DUPLICATE_ENTRY')
    const acme = JSON.parse((await run(['whoami', '--json'])).stdout).organization.id as string
    const moved = await run(['billing', 'claim', team, '--into', acme, '--json'])
    expect(moved.code, moved.stderr).toBe(0)
    expect(JSON.parse(moved.stdout)).toMatchObject({ orgId: acme, subscription: { planId: 'team' } })
    expect(parse((await run(['billing', 'show', '-f', 'yaml'])).stdout)).toMatchObject({ planId: 'team' })
  } finally {
    await remove(shop)
    await fake.close()
  }
})

it('sets add-ons and the end of a subscription for an operator, and leaves what is not named', async () => {
  const { id } = await read('billing', 'show', '-f', 'yaml')
  const override = (...flags: string[]) =>
    cli(['billing', 'admin', 'subscriptions', 'override', id, ...flags, '--yes', '-f', 'yaml'], `${PASSWORD}\n`)
  expect((await override('--addon', 'seat_pack')).stderr).toContain('INSUFFICIENT_PERMISSIONS')
  // A process of its own: waiting for the lock of the database, it must not keep the server in this one from its commit.
  const env = { ...process.env, ...server.env, DATA_DIR: join(server.folder, 'data') }
  await promisify(execFile)(process.execPath, [BIN, 'admin', 'grant-superadmin', PERSON], { env, cwd: server.folder })
  await cli(['login'], `${PERSON}\n${PASSWORD}\n`)
  // A grant of another process takes effect within 5 s.
  let set = await override('--addon', 'seat_pack=2', '--addon', 'api_pack')
  await expect
    .poll(async () => {
      if (set.code !== 0) set = await override('--addon', 'seat_pack=2', '--addon', 'api_pack')
      return set.stderr
    })
    .not.toContain('INSUFFICIENT_PERMISSIONS')
  expect(set.code, set.stderr).toBe(0)
  const held = [
    { bundleId: 'api_pack', quantity: 1 },
    { bundleId: 'seat_pack', quantity: 2 },
  ]
  expect(parse(set.stdout).addons).toEqual(expect.arrayContaining(held))
  const less = parse((await override('--addon', 'api_pack=0', '--end-with-period')).stdout)
  expect(less).toMatchObject({ addons: [held[1]], cancelAtPeriodEnd: true })
  expect(parse((await override('--go-on')).stdout)).toMatchObject({ addons: [held[1]], cancelAtPeriodEnd: false })
  const both = await override('--end-with-period', '--go-on')
  expect(both).toMatchObject({ code: 2, stderr: expect.stringMatching(/--go-on.*--end-with-period/s) })
  expect((await override('--addon', 'seat_pak')).stderr).toContain('did you mean seat_pack')
  expect((await override('--addon', 'seat_pack=two')).stderr).toContain('is not a whole number')
})

// biome-ignore lint/suspicious/noExplicitAny: answers of two servers
async function post(url: string, body: object): Promise<any> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.json()
}
