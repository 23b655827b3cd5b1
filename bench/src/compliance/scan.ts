/** A scan of the whole inventory during live checks. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchOptions, type BenchTable, median } from '../harness.js'
import { generate } from '../http-load.js'
import { ATTRIBUTES, type Counts, cpuSeconds, withServer } from './served.js'

const RULES = 100
const CLIENTS = 8

interface Scan {
  readonly id: string
  readonly status: string
  readonly processedEntities: number
}

export const scanTable = (script: string, { quick }: BenchOptions): Promise<BenchTable> =>
  withServer(script, async ({ target, port, call, post }) => {
    const entities = quick ? 2000 : 100_000
    await target.ask({ name: 'rules', count: RULES, target: 'pipeline' })
    await target.ask({ name: 'entities', count: entities })
    const scan = async (beside?: () => Promise<unknown>) => {
      const before = await target.ask<Counts>()
      const startedMs = performance.now()
      const { scan: made } = await call<{ scan: Scan }>('POST', '/compliance/scans', { target: 'pipeline' })
      let [now, rssMax, isOver] = [made, 0, false]
      const besides = (async () => {
        while (!isOver && beside !== undefined) await beside()
      })()
      while (now.status === 'pending' || now.status === 'running') {
        await sleep(100)
        now = (await call<{ scan: Scan }>('GET', `/compliance/scans/${made.id}`)).scan
        rssMax = Math.max(rssMax, (await target.ask<Counts>()).rss)
      }
      const seconds = (performance.now() - startedMs) / 1000
      isOver = true
      await besides
      if (now.status !== 'completed' || now.processedEntities !== entities) throw new Error(JSON.stringify(now))
      return { seconds, rssMax, cpu: cpuSeconds(await target.ask<Counts>()) - cpuSeconds(before) }
    }
    const live = post('/compliance/validate/plugin', { attributes: ATTRIBUTES })
    const ms = quick ? 300 : 3000
    const check = () => generate(port, live, { ms, clients: CLIENTS })
    await check()
    const alone = await check()
    const swept = await scan()
    const beside: number[] = []
    const both = await scan(async () => void beside.push((await check()).p99))
    const p99 = [...beside].sort((a, b) => a - b)[beside.length >> 1] ?? Number.NaN
    const times: number[] = []
    let findings = 0
    for (let round = 0; round < (quick ? 5 : 50); round++) {
      const startedMs = performance.now()
      const { rules } = await call<{ rules: { open: number }[] }>('GET', '/compliance/rules/coverage')
      times.push(performance.now() - startedMs)
      findings = rules.reduce((sum, { open }) => sum + open, 0)
    }
    const among = findings.toLocaleString('en-US')
    return {
      title: `A scan of ${entities.toLocaleString('en-US')} records with ${RULES} rules`,
      unit: 's, MiB, ms',
      columns: ['figure', 'value'],
      rows: [
        ['scan alone, from the request to `completed`', swept.seconds.toFixed(1)],
        ['processor time of the process meanwhile', swept.cpu.toFixed(1)],
        ['records a second', (entities / swept.seconds).toFixed(0)],
        ['largest resident memory of the server', (swept.rssMax / 2 ** 20).toFixed(0)],
        [`live checks without a scan, ${CLIENTS} clients: p99`, alone.p99.toFixed(1)],
        [`live checks beside a scan, ${CLIENTS} clients: p99`, p99.toFixed(1)],
        ['scan beside live checks', both.seconds.toFixed(1)],
        [`\`GET /compliance/rules/coverage\` over ${among} findings: median`, median(times).toFixed(1)],
        ['the longest one after the first', Math.max(...times.slice(1)).toFixed(1)],
      ],
      note: 'Every record has its durable row in the check log; every fifth one has warnings and is blocked. Wanted: 60 s, 400 MiB, twice the p99 of checks without a scan, 15 ms for the coverage.',
    }
  })
