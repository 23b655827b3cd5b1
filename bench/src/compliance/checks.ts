/** Checks with 100 active rules, compared with a bare Hono POST echo of the same body. */
import { type BenchOptions, type BenchTable, formatRate, median } from '../harness.js'
import { CLIENTS, generate, type Load, Target } from '../http-load.js'
import { ATTRIBUTES, type Counts, cpuSeconds, withServer } from './served.js'

const RULES = 100

export async function checksTable(script: string, { quick }: BenchOptions): Promise<BenchTable> {
  const echo = new Target(script, ['echo'])
  try {
    const { port: echoPort } = await echo.next<{ port: number }>()
    return await withServer(script, async ({ target, port, post }) => {
      await target.ask({ name: 'rules', count: RULES, target: 'pipeline' })
      const body = { attributes: ATTRIBUTES }
      const contenders = [
        {
          name: 'Hono POST echo (the limit)',
          of: echo,
          port: echoPort,
          request: { ...post('', body), path: '/echo', headers: {} },
        },
        {
          name: `dry run, ${RULES} rules`,
          of: target,
          port,
          request: post('/compliance/validate/pipeline/dry-run', body),
        },
        {
          name: `live check, ${RULES} rules, its row durable`,
          of: target,
          port,
          request: post('/compliance/validate/pipeline', body),
        },
      ]
      const results = contenders.map(() => [] as (Load & { readonly cpuMicros: number })[])
      const warmUp = quick ? { ms: 300 } : { ms: 30_000, requests: 10_000 }
      for (const { port: own, request } of contenders) await generate(own, request, warmUp)
      for (let round = 0; round < (quick ? 1 : 5); round++) {
        for (const [at, { of, port: own, request }] of contenders.entries()) {
          const before = await of.ask<Counts>()
          const load = await generate(own, request, { ms: quick ? 300 : 3000 })
          const cpu = cpuSeconds(await of.ask<Counts>()) - cpuSeconds(before)
          results[at]?.push({ ...load, cpuMicros: (cpu * 1e6) / load.requests })
        }
      }
      const of = (at: number, figure: (each: Load & { readonly cpuMicros: number }) => number) =>
        median((results[at] ?? []).map(figure))
      return {
        title: `Checks, ${CLIENTS} keep-alive clients`,
        unit: 'requests/s, µs of processor time a request, ms',
        columns: ['request', 'requests/s', 'of the echo', 'CPU µs', 'of the echo by CPU', 'p50', 'p99'],
        rows: contenders.map(({ name }, at) => [
          name,
          formatRate(of(at, (each) => each.perSecond)),
          (of(at, (each) => each.perSecond) / of(0, (each) => each.perSecond)).toPrecision(3),
          of(at, (each) => each.cpuMicros).toFixed(0),
          (of(0, (each) => each.cpuMicros) / of(at, (each) => each.cpuMicros)).toPrecision(3),
          of(at, (each) => each.p50).toFixed(1),
          of(at, (each) => each.p99).toFixed(1),
        ]),
        note: 'One body for all three. A twentieth of the rules is violated in none of them. Wanted: 0.5 of the echo for the dry run, 0.3 for the live check, its p99 within 50 ms.',
      }
    })
  } finally {
    echo.stop()
  }
}
