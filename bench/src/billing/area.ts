/**
 * Billing over real sockets compared with a bare Hono echo, in one run. Also the long operations: a year of a sandbox,
 * a ledger of 100,000 rows, an activation for 10,000 accounts, an export.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../../packages/server/proof/bundle.js'
import { type BenchArea, type BenchOptions, type BenchTable, formatRate, median } from '../harness.js'
import { type Amount, CLIENTS, generate, type Load, type Request, Target } from '../http-load.js'
import { postgresAnswers, postgresUrl } from '../postgres-url.js'

interface Counts {
  readonly rss: number
  readonly cpu: { readonly user: number; readonly system: number }
}

interface Ready {
  readonly port: number
  readonly token: string
  readonly subscriptionId: string
}

interface Measured {
  readonly name: string
  readonly loads: Load[]
  readonly cpuMicros: number[]
}

/** With more at a time, the server answers 503 and the sender retries. */
const WEBHOOKS = 32

const cpuOf = ({ cpu }: Counts): number => cpu.user + cpu.system

async function measure(target: Target, port: number, request: Request, amount: Amount, into: Measured): Promise<void> {
  const before = await target.ask<Counts>()
  const load = await generate(port, request, amount)
  into.cpuMicros.push((cpuOf(await target.ask<Counts>()) - cpuOf(before)) / load.requests)
  into.loads.push(load)
}

const rowOf = ({ name, loads, cpuMicros }: Measured, limit: Measured, required: number): (string | number)[] => {
  const rate = (each: Measured) => median(each.loads.map(({ perSecond }) => perSecond))
  const cpu = (each: Measured) => median(each.cpuMicros)
  return [
    name,
    formatRate(rate({ name, loads, cpuMicros })),
    (rate({ name, loads, cpuMicros }) / rate(limit)).toPrecision(3),
    (cpu(limit) / cpu({ name, loads, cpuMicros })).toPrecision(3),
    required === 1 ? '' : String(required),
    median(loads.map(({ p50 }) => p50)).toFixed(1),
    median(loads.map(({ p99 }) => p99)).toFixed(1),
  ]
}

const begin = (name: string): Measured => ({ name, loads: [], cpuMicros: [] })

async function requests(
  script: string,
  echoScript: string,
  folder: string,
  { quick }: BenchOptions,
): Promise<BenchTable> {
  const echo = new Target(echoScript, ['echo'])
  const stub = new Target(script, ['stub', mkdtempSync(join(folder, 'stub-'))])
  const card = new Target(script, ['card', mkdtempSync(join(folder, 'card-'))])
  try {
    const { port: echoPort } = await echo.next<{ port: number }>()
    const ready = await stub.next<Ready>()
    const { port: cardPort } = await card.next<Ready>()
    const [rounds, ms, codes] = quick ? [1, 300, 400] : [5, 1500, 4000]
    const headers = { authorization: `Bearer ${ready.token}` }
    const files = await listsOf(stub, card, folder, codes)
    const body = JSON.stringify({ planId: 'team', addons: [{ bundleId: 'seat_pack', quantity: 2 }] })
    const get: Request = { method: 'GET', path: '/api/billing/subscription', headers }
    const preview: Request = { method: 'POST', path: '/api/billing/preview', headers, body }
    const redeem: Request = { method: 'POST', path: '/api/billing/subscription' }
    const webhook: Request = { method: 'POST', path: '/api/billing/card-provider/webhook' }
    const all = contenders()
    for (const [port, request] of [
      [ready.port, get],
      [ready.port, preview],
      [echoPort, { method: 'GET', path: '/echo' }],
    ] as const) {
      await generate(port, request, { ms: quick ? 200 : 3000 })
    }
    const share = Math.floor(codes / rounds)
    for (let round = 0; round < rounds; round++) {
      const part = { ms: 600_000, requests: share, from: round * share }
      await measure(echo, echoPort, { method: 'GET', path: '/echo' }, { ms }, all.echoGet)
      await measure(stub, ready.port, get, { ms }, all.get)
      await measure(echo, echoPort, { method: 'POST', path: '/echo', body }, { ms }, all.echoPost)
      await measure(stub, ready.port, preview, { ms }, all.preview)
      await measure(card, cardPort, { ...webhook, file: files.deliveries }, { ...part, clients: WEBHOOKS }, all.webhook)
      await measure(stub, ready.port, { ...redeem, file: files.codes }, part, all.redeem)
    }
    return tableOf(all)
  } finally {
    for (const each of [echo, stub, card]) each.stop()
  }
}

/** Codes that are redeemed once each, by accounts in turn, and deliveries that are sent once each. */
async function listsOf(stub: Target, card: Target, folder: string, count: number) {
  await stub.ask({ task: 'mint', count })
  const payers = await stub.ask<{ token: string; subscriptionId: string }[]>({ task: 'payers', count: CLIENTS })
  const deliveries = await card.ask<{ headers: object; body: string }[]>({ task: 'deliveries', count })
  const files = { codes: join(folder, 'codes.json'), deliveries: join(folder, 'deliveries.json') }
  const codes = Array.from({ length: count }, (_, n) => {
    const { token, subscriptionId } = payers[n % payers.length] ?? { token: '', subscriptionId: '' }
    return {
      body: JSON.stringify({ code: `LOAD-${n}` }),
      headers: { authorization: `Bearer ${token}` },
      path: `/api/billing/subscriptions/${subscriptionId}/discounts`,
    }
  })
  writeFileSync(files.codes, JSON.stringify(codes))
  writeFileSync(files.deliveries, JSON.stringify(deliveries))
  return files
}

const contenders = () => ({
  echoGet: begin('Hono GET echo (the limit)'),
  get: begin('`GET /billing/subscription`'),
  echoPost: begin('Hono POST echo (the limit)'),
  preview: begin('`POST /billing/preview`'),
  webhook: begin('webhook that changes the subscription, 32 clients'),
  redeem: begin('redemption'),
})

function tableOf(all: ReturnType<typeof contenders>): BenchTable {
  return {
    title: `Billing over HTTP, ${CLIENTS} keep-alive clients`,
    unit: 'requests/s, ms',
    columns: ['request', 'requests/s', 'of its limit', 'of its limit by CPU', 'required', 'p50', 'p99'],
    rows: [
      rowOf(all.echoGet, all.echoGet, 1),
      rowOf(all.get, all.echoGet, 0.3),
      rowOf(all.echoPost, all.echoPost, 1),
      rowOf(all.preview, all.echoPost, 0.35),
      rowOf(all.webhook, all.echoPost, 0.2),
      rowOf(all.redeem, all.echoPost, 0.2),
    ],
    note: 'On SQLite, with everything on that a server has; limits are raised. A webhook is verified, kept, and has its effect: the subscription ends with its period or goes on, with events and evidence, durable before the answer. A redemption is one of 64 accounts in turn: the counter of the code, a row of the ledger, events and evidence. Required: p99 within 60 ms.',
  }
}

async function long(script: string, folder: string, { quick }: BenchOptions): Promise<BenchTable> {
  const stub = new Target(script, ['stub', mkdtempSync(join(folder, 'long-'))])
  try {
    const { port } = await stub.next<Ready>()
    const years: number[] = []
    for (let n = 0; n < (quick ? 1 : 5); n++)
      years.push((await stub.ask<{ ms: number }>({ task: 'year', count: 1 })).ms)
    const {
      few,
      many,
      token: owner,
    } = await stub.ask<{ few: number; many: number; token: string }>({ task: 'ledgers', count: quick ? 5 : 60 })
    const exported = await exportLedger(stub, port, owner)
    return {
      title: 'What takes long',
      unit: 'ms, MiB',
      columns: ['figure', 'value', 'required'],
      rows: [
        ['a year of a sandbox in one leap', median(years).toFixed(0), '1,000'],
        ['grant and drain, ledger of 100 rows', few.toFixed(1), ''],
        ['grant and drain, ledger of 100,000 rows', many.toFixed(1), `${(1.5 * few).toFixed(1)} (1.5 ×)`],
        ['export of 100,000 rows', exported.ms.toFixed(0), '3,000'],
        ['memory that the export takes', exported.mib.toFixed(0), '64'],
      ],
    }
  } finally {
    stub.stop()
  }
}

/** An activation for many accounts on each database, and the previews of another account before it and meanwhile. */
async function activation(script: string, folder: string, { quick }: BenchOptions): Promise<BenchTable> {
  const accounts = quick ? 500 : 10_000
  const rows: string[][] = []
  for (const url of (await postgresAnswers()) ? ['', postgresUrl] : ['']) {
    const target = new Target(script, ['stub', mkdtempSync(join(folder, 'activate-')), url])
    try {
      const { port, token } = await target.next<Ready>()
      const body = JSON.stringify({ planId: 'team', addons: [{ bundleId: 'seat_pack', quantity: 2 }] })
      const headers = { authorization: `Bearer ${token}` }
      const previews = (ms: number) =>
        generate(port, { method: 'POST', path: '/api/billing/preview', headers, body }, { ms, clients: 4 })
      await target.ask({ task: 'crowd', count: accounts })
      await previews(quick ? 300 : 3000)
      const alone = await previews(quick ? 500 : 5000)
      const activating = target.ask<{ ms: number; granted: number }>({ task: 'activate', count: 1 })
      const meanwhile = await previews(quick ? 500 : 3000)
      const { ms, granted } = await activating
      if (granted < accounts) throw new Error(`the activation granted ${granted} of ${accounts}`)
      rows.push([
        url === '' ? 'SQLite' : 'PostgreSQL',
        ms.toFixed(0),
        String(2 * accounts),
        alone.p99.toFixed(1),
        meanwhile.p99.toFixed(1),
        (meanwhile.p99 / alone.p99).toFixed(2),
        '2',
      ])
      await target.ask({ task: 'drop', count: 1 })
    } finally {
      target.stop()
    }
  }
  return {
    title: `Activation of a promotion for ${accounts.toLocaleString('en')} accounts, and previews by 4 clients`,
    unit: 'ms',
    columns: ['database', 'activation', 'required', 'p99 of previews before', 'meanwhile', 'ratio', 'required ratio'],
    rows,
    note: 'A transaction is for 50 accounts on PostgreSQL, and for 5 on SQLite.',
  }
}

/** The memory is the peak of the process, minus its memory before the export. */
async function exportLedger(target: Target, port: number, token: string): Promise<{ ms: number; mib: number }> {
  const before = await target.ask<Counts>()
  let most = before.rss
  const beganMs = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/api/billing/ledger/export`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok || answer.body === null) throw new Error(`the export is answered ${answer.status}`)
  let looked = 0
  for await (const _chunk of answer.body) {
    if (performance.now() - looked < 100) continue
    most = Math.max(most, (await target.ask<Counts>()).rss)
    looked = performance.now()
  }
  return { ms: performance.now() - beganMs, mib: (most - before.rss) / 2 ** 20 }
}

/** Starts the same server with billing off and on, alternately. */
async function start(script: string, folder: string, { quick }: BenchOptions): Promise<BenchTable> {
  const found = { off: { ms: [] as number[], rss: [] as number[] }, on: { ms: [] as number[], rss: [] as number[] } }
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    for (const which of ['off', 'on'] as const) {
      const own = mkdtempSync(join(folder, 'start-'))
      const beganMs = performance.now()
      const target = new Target(script, ['start', own, which])
      const { rss } = await target.next<{ rss: number }>()
      found[which].ms.push(performance.now() - beganMs)
      found[which].rss.push(rss / 2 ** 20)
      target.stop()
    }
  }
  const more = (what: 'ms' | 'rss') => median(found.on[what]) - median(found.off[what])
  return {
    title: 'Start and memory with the stub, beside billing off',
    unit: 'ms, MiB',
    columns: ['figure', 'off', 'on', 'more', 'required'],
    rows: [
      [
        'start to ready, an empty database migrated',
        median(found.off.ms).toFixed(0),
        median(found.on.ms).toFixed(0),
        more('ms').toFixed(0),
        '50',
      ],
      [
        'resident memory, idle',
        median(found.off.rss).toFixed(0),
        median(found.on.rss).toFixed(0),
        more('rss').toFixed(1),
        '10',
      ],
    ],
  }
}

export const area: BenchArea = {
  name: 'billing',
  summary: 'billing over HTTP beside a bare echo, and what takes long',
  async run(options) {
    const echo = await bundle('proof/speed/target.ts')
    const built = await bundle('proof/speed/billing.ts')
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
    try {
      return [
        await requests(built.file, echo.file, folder, options),
        await long(built.file, folder, options),
        await activation(built.file, folder, options),
        await start(built.file, folder, options),
      ]
    } finally {
      echo.clean()
      built.clean()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
