/** What the server does for the console: files beside bare Hono with the same bytes, and a session cookie beside a token. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchOptions, type BenchTable, formatRate, median } from '../harness.js'
import { CLIENTS, generate, type Request, Target } from '../http-load.js'

const assets = fileURLToPath(new URL('../../../packages/server/dist/console/assets', import.meta.url))
const script = fileURLToPath(new URL('target.mjs', import.meta.url))
const ROUNDS = 5

export interface Server {
  readonly target: Target
  readonly port: number
  readonly url: string
  readonly password: string
}

interface Contender {
  readonly name: string
  readonly target: Target
  readonly port: number
  readonly request: Request
}

interface Counts {
  readonly cpu: { readonly user: number; readonly system: number }
}

interface Rate {
  readonly perSecond: number
  readonly cpuMicros: number
}

const page = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'x-csrf': '1' }

/** A cookie and a token of the same person. */
async function credentials({ url, password }: Server): Promise<{ cookie: string; authorization: string }> {
  const body = JSON.stringify({ identifier: 'demo-owner', password })
  const signIn = async (query: string, headers: Record<string, string>) => {
    const answer = await fetch(`${url}/api/auth/login${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    if (!answer.ok) throw new Error(`sign-in: ${await answer.text()}`)
    return answer
  }
  const token = (await (await signIn('', {})).json()) as { data: { accessToken: string } }
  const session = await signIn('?cookie=session', { ...page, origin: url })
  const [cookie = ''] = (session.headers.get('set-cookie') ?? '').split(';')
  return { cookie, authorization: `Bearer ${token.data.accessToken}` }
}

/** Each contender in turn, so that a slow moment of the machine affects all. */
async function inTurns(contenders: readonly Contender[], { quick }: BenchOptions): Promise<Rate[]> {
  const rates = contenders.map((): Rate[] => [])
  const ms = quick ? 200 : 3000
  for (const { port, request } of contenders) await generate(port, request, { ms: quick ? 200 : 5000 })
  for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
    for (const [index, { target, port, request }] of contenders.entries()) {
      const before = await target.ask<Counts>()
      const { perSecond, requests } = await generate(port, request, { ms })
      const after = await target.ask<Counts>()
      const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
      rates[index]?.push({ perSecond, cpuMicros: cpu / requests })
    }
  }
  return rates.map((own) => ({
    perSecond: median(own.map(({ perSecond }) => perSecond)),
    cpuMicros: median(own.map(({ cpuMicros }) => cpuMicros)),
  }))
}

export async function servedTable(server: Server, options: BenchOptions): Promise<BenchTable> {
  const name = readdirSync(assets).find((each) => /^index-.*\.js$/.test(each))
  if (name === undefined) throw new Error('the console is not built: run `npm run build` first')
  const bare = new Target(script, ['file', join(assets, `${name}.br`), 'text/javascript; charset=utf-8'])
  try {
    const { port } = await bare.next<{ port: number }>()
    const { cookie, authorization } = await credentials(server)
    const encoded = { 'accept-encoding': 'br' }
    const me = { method: 'GET', path: '/api/auth/me' }
    const contenders: readonly Contender[] = [
      { name: 'bare Hono, the same bytes', target: bare, port, request: { method: 'GET', path: '/file' } },
      {
        name: 'a file of the console, compressed when it was built',
        ...server,
        request: { method: 'GET', path: `/console/assets/${name}`, headers: encoded },
      },
      { name: '`GET /auth/me` with a token', ...server, request: { ...me, headers: { ...page, authorization } } },
      { name: '`GET /auth/me` with a session cookie', ...server, request: { ...me, headers: { ...page, cookie } } },
    ]
    const rates = await inTurns(contenders, options)
    const rows = contenders.map((each, index) => {
      const [own, limit] = [rates[index], rates[index < 2 ? 0 : 2]]
      if (own === undefined || limit === undefined) throw new Error(`${each.name} was not measured`)
      return [
        each.name,
        formatRate(own.perSecond),
        (own.perSecond / limit.perSecond).toPrecision(3),
        own.cpuMicros.toFixed(0),
        (limit.cpuMicros / own.cpuMicros).toPrecision(3),
      ]
    })
    return {
      title: `Files and sessions, ${CLIENTS} keep-alive clients`,
      unit: 'requests/s, µs of processor time a request',
      columns: ['request', 'requests/s', 'of the row it is compared with', 'CPU µs', 'the same by CPU'],
      rows,
      note: 'A file is compared with bare Hono, a cookie with a token. Wanted: 0.6 for files, 0.95 for the cookie.',
    }
  } finally {
    bare.stop()
  }
}

export async function startDemo(folder: string): Promise<Server> {
  const target = new Target(script, ['server', folder])
  return { target, ...(await target.next<Omit<Server, 'target'>>()) }
}
