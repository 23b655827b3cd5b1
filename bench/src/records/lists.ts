/**
 * The cost of each documented filter of a list: a page of 100 rows at an offset, and with the cursor the first, the
 * middle and the last page. One client sends one request after another over a socket.
 */
import { Agent, get } from 'node:http'
import type { BenchOptions, BenchTable } from '../harness.js'
import type { MeasuredQuery } from './filters.js'
import { headersOf, type Person, type ServerProcess } from './process.js'

const PAGE = 100
/** The seed gives each record its own second, starting here. */
const SEED_BEGIN_MS = Date.parse('2026-01-01T00:00:00Z')
/** In a shorter list a page in the middle is not measured. */
const LONG = 10 * PAGE

interface Page {
  readonly rows: number
  readonly total: number
  readonly nextCursor?: string
}

export interface ListUnderTest {
  readonly path: string
  readonly key: string
  /** The first digit of the seeded ids. */
  readonly idDigit: number
  readonly queries: readonly MeasuredQuery[]
}

export async function listTable(
  server: ServerProcess,
  person: Person,
  { path, key, idDigit, queries }: ListUnderTest,
  { quick, rows }: BenchOptions & { readonly rows: number },
): Promise<BenchTable> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (query: string): Promise<Page> => {
    const { data } = JSON.parse(await read(agent, `${server.url}/api${path}?${query}`, headersOf(person)))
    const { nextCursor, total } = data.pagination
    return { rows: data[key].length, total, ...(nextCursor === undefined ? {} : { nextCursor }) }
  }
  const requests = quick ? 1 : 300
  const time = async (query: string): Promise<Times> => {
    const taken: number[] = []
    if (!quick) await ask(query)
    for (let n = 0; n < requests; n++) {
      const startedMs = performance.now()
      await ask(query)
      taken.push(performance.now() - startedMs)
    }
    return timesOf(taken)
  }
  const table: string[][] = []
  try {
    for (const { name, query: template, isFew } of queries) {
      const filter = template
        .replaceAll('{id8}', `${idDigit}0000000`)
        .replaceAll('{id}', `${idDigit}0000000-0000-7000-8000-`)
        .replaceAll('{middle}', new Date(SEED_BEGIN_MS + rows * 500).toISOString())
      const first = await ask(`${filter}&limit=${PAGE}`)
      // An empty list is fast and would distort the figures.
      if (first.rows === 0) throw new Error(`${path}?${filter} finds nothing`)
      const cells = [await time(`${filter}&limit=${PAGE}&offset=0`)]
      cells.push(isFew === true ? NONE : await time(`${filter}&limit=${PAGE}&offset=${Math.min(1000, rows >> 6)}`))
      for (const cursor of await cursorsOf(ask, filter, first.total))
        cells.push(await time(`${filter}&limit=${PAGE}&cursor=${cursor}`))
      while (cells.length < 4) cells.push(NONE)
      table.push([`\`${name}\``, ...cells.flatMap(({ p50, p99 }) => [shown(p50), shown(p99)])])
    }
  } finally {
    agent.destroy()
  }
  return {
    title: `GET ${path}: 100 rows of ${rows.toLocaleString('en-US')}`,
    unit: 'ms',
    columns: ['filter', 'offset 0', 'p99', 'offset 1,000', 'p99', 'cursor, middle', 'p99', 'cursor, last page', 'p99'],
    rows: table,
    note: `p50 and p99 of ${requests} requests of one client after a first one. A total beyond 10,000 is counted once a minute: by the first request, which is not in the figures. Required: p99 within 15 ms.`,
  }
}

/**
 * Cursors to the middle and to the last page, each from the row before it. Empty if the list is short or has no cursor.
 */
async function cursorsOf(ask: (query: string) => Promise<Page>, filter: string, total: number): Promise<string[]> {
  if (total < LONG) return []
  const cursors: string[] = []
  for (const offset of [total >> 1, total - PAGE - 1]) {
    const { nextCursor } = await ask(`${filter}&limit=1&offset=${offset}`)
    if (nextCursor !== undefined) cursors.push(nextCursor)
  }
  return cursors
}

interface Times {
  readonly p50: number
  readonly p99: number
}

const NONE: Times = { p50: Number.NaN, p99: Number.NaN }
const shown = (ms: number): string => (Number.isNaN(ms) ? '' : ms.toFixed(1))

function timesOf(taken: readonly number[]): Times {
  const sorted = [...taken].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** @throws Error if the server refuses. */
function read(agent: Agent, url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${url} answered ${response.statusCode}: ${text.slice(0, 300)}`))
      })
    }).on('error', reject)
  })
}
