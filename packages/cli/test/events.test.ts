/**
 * `plumbline events` goes through to the end of a file however often the server asks to wait, says how far it came
 * where it cannot, and names what the user typed.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from './support/memory-io.js'

type Answer = { readonly status: number; readonly body: object; readonly headers?: Record<string, string> } | 'cut'

let server: Server
let url: string
/** What the server got, in order; `answer` decides by the number of requests before. */
let bodies: { events?: { executionId: string }[] }[]
let answer: (at: number) => Answer
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const body = JSON.parse(text)
      const given = answer(bodies.length)
      bodies.push(body)
      if (given === 'cut') return void response.destroy()
      response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers })
      response.end(JSON.stringify(given.body))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => void server.close(resolve)))
beforeEach(() => {
  bodies = []
  answer = () => taken()
})

const taken = (skippedItems: object[] = []): Answer => ({
  status: 200,
  body: {
    data: {
      inserted: 1,
      duplicates: 0,
      conflicts: 0,
      parked: 0,
      skipped: 0,
      skippedItems,
      incidents: 0,
      note: null,
    },
  },
})
const busy: Answer = {
  status: 429,
  headers: { 'retry-after': '0' },
  body: { success: false, code: 'RATE_LIMIT_EXCEEDED', message: 'too many requests' },
}
const lines = (count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ pipelineId: 'p', executionId: `run-${at}` })).join('\n')
const run = (args: string[], stdin = '') =>
  runCli(['events', ...args], {
    now: new Date('2026-03-01T12:00:00.000Z'),
    stdin,
    env: { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: 'plp_test', PLUMBLINE_SOURCE_SECRET: 'whsec_x' },
  })
const sourceAt = (origin: string) => `${origin}/api/reports/events/webhook/github/01a22e6d-2c56-77e7-bf7f-022d12aec053`

describe('a file of events', () => {
  it('is sent to its end, although the server asks to wait in between', async () => {
    answer = (at) => (at === 1 || at === 2 ? busy : taken())
    const told = await run(['import', '-'], lines(250))
    expect([told.code, told.stderr]).toEqual([
      0,
      'the server takes no more for now: waiting 0 s\nthe server takes no more for now: waiting 0 s\n3 taken, 0 known before, 0 not taken, of them 0 wait for their pipeline\n',
    ])
    const sent = [bodies[0], ...bodies.slice(3)].flatMap((body) => body?.events?.map(({ executionId }) => executionId))
    expect(sent).toEqual(Array.from({ length: 250 }, (_, at) => `run-${at}`))
  })

  it('says how far it came where the server is gone', async () => {
    answer = (at) => (at === 2 ? 'cut' : taken())
    const told = await run(['import', '-'], lines(250))
    expect(told.code).toBe(3)
    expect(told.stderr).toContain('stopped after 200 of 250 events: run it again to go on')
    expect(told.stderr).toContain('cannot be reached')
  })

  it('that is long and wrong is not told line by line', async () => {
    answer = () =>
      taken(
        Array.from({ length: 100 }, (_, index) => ({ index, path: '/body/events/0/status', message: 'is required' })),
      )
    const told = await run(['import', '-'], lines(250))
    expect(told.stderr.split('\n').filter((line) => line.includes('`status` is required'))).toHaveLength(100)
    expect(told.stderr).toContain('… and 200 more\n')
    expect(told.code).toBe(1)
  })

  it.each([
    ['deliveries of a fake history', '{"event":"push","payload":{}}'],
    ['a page of GitHub', '{"workflow_runs":[]}'],
    ['a list of GitLab', '[{"id":1}]'],
    ['a CDEvent', '{"context":{},"subject":{}}'],
  ])('with %s needs a source', async (_, line) => {
    const told = await run(['import', '-'], line)
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining('give the source that takes it: `--source')])
    expect(bodies).toEqual([])
  })

  it('without an event says so', async () => {
    const told = await run(['import', '-'], '\n')
    expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('has no event\n')])
  })

  it('of a person is refused with the credential that it needs', async () => {
    answer = () => ({
      status: 403,
      body: {
        code: 'INSUFFICIENT_PERMISSIONS',
        message: 'this is for service principals',
        details: { reason: 'service', scope: 'reporting:ingest' },
      },
    })
    const told = await run(['import', '-'], lines(1))
    expect(told.code).toBe(3)
    expect(told.stderr).toContain('PLUMBLINE_SERVICE_CLIENT_ID')
  })
})

describe('deliveries to a source', () => {
  const history = '{"event":"push","payload":{"a":1}}\n{"event":"push","payload":{"a":2}}'

  it('go on when the server asks to wait', async () => {
    answer = (at) => (at === 0 ? busy : taken())
    const told = await run(['import', '-', '--source', sourceAt(url)], history)
    expect([told.code, bodies]).toEqual([0, [{ a: 1 }, { a: 1 }, { a: 2 }]])
    expect(told.stderr).toContain('2 deliveries: 2 events taken')
  })

  it('say that the server does not answer, and how far they came', async () => {
    answer = (at) => (at === 1 ? 'cut' : taken())
    const cut = await run(['import', '-', '--source', sourceAt(url)], history)
    expect(cut.code).toBe(3)
    expect(cut.stderr).toContain('stopped after 1 of 2 deliveries: run it again to go on')
    const away = await run(['import', '-', '--source', sourceAt('http://127.0.0.1:1')], history)
    expect([away.code, away.stderr]).toEqual([3, expect.stringContaining('cannot be reached')])
  })
})

describe('what the user typed', () => {
  it.each([
    [['send', '--pipeline', 'p', '--completed', 'yesterday'], '`--completed`: `yesterday` is not an instant'],
    [['send', '--pipeline', 'p', '--started', '2026-02-30'], '`--started`: `2026-02-30` is not an instant'],
    [['send', '--pipeline', 'p', '--committed', 'now'], '`--committed`: `now` is not an instant'],
    [['fake', 'github', '--until', 'nonsense'], '`--until`: `nonsense` is not an instant'],
  ])('is named where it is not an instant: %j', async (args, message) => {
    const told = await run(args)
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining(message)])
    expect(bodies).toEqual([])
  })

  it('is named where the server does not take the event', async () => {
    answer = () => taken([{ index: 0, path: '/body/events/0/pipelineId', message: 'must be a UUID' }])
    const told = await run(['send', '--pipeline', 'nope', '--completed', '2026-02-28'])
    expect([told.code, told.stderr]).toEqual([1, expect.stringContaining('the event: `--pipeline` must be a UUID')])
    expect(bodies[0]?.events).toMatchObject([{ completedAt: '2026-02-28T00:00:00.000Z' }])
  })
})
