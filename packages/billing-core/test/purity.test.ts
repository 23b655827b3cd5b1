/** The package needs nothing of its runtime: it runs where there is no Node, and its sources read no clock. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))

test('runs in a context without Node globals and without code generation from strings', async () => {
  const bundle = await build({
    stdin: {
      resolveDir: src,
      contents: `
        import * as billing from './index.js'
        const catalogue = billing.loadCatalogue({ BILLING_PLAN_PRO_MONTHLY: '5000' }).value
        const ring = billing.parseKeyRing('v1:' + 'A'.repeat(43) + '=').value
        const payload = { id: 'disc_1', unit: 'percent', value: 20, kind: 'onetime', targetOrgId: 'org_ä' }
        const token = billing.sealToken(billing.nobleCrypto, ring, payload, new Uint8Array(12)).value
        const state = billing.openLedger([]).state
        const at = billing.instant('2026-01-31T00:00:00.000Z')
        const granted = billing.grant(state, { id: 'cr_1', orgId: 'o', subscriptionId: 's', sourceId: 'disc_1', cents: billing.cents(500), dedupeKey: 'disc:disc_1', at })
        billing.apply(state, granted.value)
        const quote = billing.quote(catalogue, { planId: 'pro', interval: 'monthly', addons: [{ bundleId: 'sso', quantity: 1 }], creditBalanceCents: billing.balanceOf(state, 's') })
        globalThis.result = JSON.stringify({
          total: quote.totalCents,
          opened: billing.openToken(billing.nobleCrypto, ring, token).value.targetOrgId,
          signed: billing.verifySignature(billing.nobleCrypto, { header: billing.signDelivery(billing.nobleCrypto, 's', 5, new Uint8Array(3)), body: new Uint8Array(3), secret: 's', nowSeconds: 5 }).ok,
          end: billing.periodEnd(at, 'monthly'),
          globals: ['process', 'require', 'Buffer', 'console', 'TextEncoder', 'crypto', 'setTimeout', 'fetch', 'performance'].filter((name) => name in globalThis),
        })`,
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'silent',
  })
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
  // A context of node:vm has a console of its own; edge runtimes may not.
  runInContext('delete globalThis.console', context)
  runInContext(bundle.outputFiles[0]?.text ?? '', context)
  expect(JSON.parse(String(context.result))).toEqual({
    total: 8_500,
    opened: 'org_ä',
    signed: true,
    end: '2026-02-28T00:00:00.000Z',
    globals: [],
  })
})

test('no source reads a clock, draws randomness, or knows Node outside node.ts', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(70)
  for (const file of files) {
    const text = readFileSync(`${src}${file}`, 'utf8')
    expect([
      file,
      /Date\.now|new Date\(\)|Math\.random|performance\.|setTimeout|process\.|globalThis/.exec(text)?.[0],
    ]).toEqual([file, undefined])
    if (file !== 'node.ts') expect([file, /from 'node:|Buffer/.exec(text)?.[0]]).toEqual([file, undefined])
    expect([
      file,
      /@plumbline\//.exec(
        text.replaceAll('`@plumbline/billing-core/node`', '').replaceAll('`@plumbline/billing-core`', ''),
      )?.[0],
    ]).toEqual([file, undefined])
  }
})

test('amounts are branded in one file, which checks them', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!.*test).*\.ts$/.test(file),
  )
  const casts = files.filter((file) => / as (Signed)?Cents\b/.test(readFileSync(`${src}${file}`, 'utf8')))
  expect(casts.sort()).toEqual(['money/cents.ts'])
})
