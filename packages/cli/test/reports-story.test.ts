/** A new user gets from an empty folder to delivery metrics, with curl and on the command line, on both databases. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningServer, startServer } from '@plumbline/server'
import { DOMParser } from '@xmldom/xmldom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresMissing, postgresStore } from '../../server/test/support/stores.js'
import { fakeHistory } from '../src/events/fake/history.js'
import { runCli } from './support/memory-io.js'

const run = promisify(execFile)
const missing = await postgresMissing()
const DATABASES = missing === null ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const)
const DAY = 86_400_000

describe.each(DATABASES)('the story of reports on %s', (database) => {
  let folder = ''
  let server: RunningServer
  let close = async (): Promise<void> => {}
  let shown = ''
  let token = ''
  const env = { url: '', demo: '', person: '' }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumbline-reports-'))
    const store = database === 'PostgreSQL' ? await postgresStore() : null
    if (store !== null) close = store.close
    server = await startServer({
      environment: {
        DATA_DIR: join(folder, 'data'),
        PORT: '0',
        NODE_ENV: 'development',
        LOG_LEVEL: 'silent',
        BILLING_ENABLED: 'false',
        PASSWORD_HASH_COST: '4',
        SHUTDOWN_DELAY_MS: '0',
        ...(store === null ? {} : { DATABASE_URL: store.url }),
      },
      print: (text) => {
        shown += text
      },
    })
    env.url = server.url
    env.demo = /plp_[\w-]+/.exec(shown)?.[0] ?? ''
    const headers = { 'content-type': 'application/json' }
    const account = {
      username: 'ann',
      email: 'ann@plumbline.test',
      password: 'Correct-Horse-7',
      organizationName: 'Acme',
    }
    await fetch(`${server.url}/api/auth/register`, { method: 'POST', headers, body: JSON.stringify(account) })
    const credentials = { identifier: account.username, password: account.password }
    const answer = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify(credentials),
    })
    env.person = ((await answer.json()) as { data: { accessToken: string } }).data.accessToken
    token = env.person
  })
  afterAll(async () => {
    await server?.stop()
    await close()
    rmSync(folder, { recursive: true, force: true })
  })

  const cli = (argv: string[], more: Record<string, string> = {}) =>
    runCli(argv, { cwd: folder, now: new Date(), env: { PLUMBLINE_URL: env.url, PLUMBLINE_TOKEN: token, ...more } })
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
  const reports = async (...argv: string[]): Promise<any> => {
    const { code, stdout, stderr } = await cli(['reports', ...argv, '--format', 'json'])
    if (code !== 0) throw new Error(`plumbline reports ${argv.join(' ')}: exit ${code}\n${stderr}`)
    return JSON.parse(stdout)
  }
  const curl = async (path: string, ...more: string[]): Promise<string> =>
    (await run('curl', ['-sS', `${env.url}/api${path}`, '-H', `Authorization: Bearer ${token}`, ...more])).stdout
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const data = async (path: string, ...more: string[]): Promise<any> => JSON.parse(await curl(path, ...more)).data
  const post = (path: string, body: object, method = 'POST') =>
    data(path, '-X', method, '-H', 'Content-Type: application/json', '-d', JSON.stringify(body))

  it('has a first number after one printed command, and ninety days behind it', async () => {
    token = env.demo
    const command = /curl -s \S+webhook\S+ [^\n]+/.exec(shown)?.[0] ?? ''
    const first = async () => JSON.parse((await run('sh', ['-c', command])).stdout)
    const window = [
      '--from',
      new Date(Date.now() - 91 * DAY).toISOString(),
      '--to',
      new Date(Date.now() + 60_000).toISOString(),
    ]
    const before = (await reports('dora', ...window))[0]
    expect(before).toMatchObject({ environment: 'production', headline: true })
    expect(before.deploymentFrequency.deployments).toBeGreaterThan(60)
    for (const metric of ['changeFailureRate', 'leadTime', 'failedDeploymentRecovery', 'reworkRate'])
      expect([metric, before[metric].why, before[metric].interval === null]).toEqual([metric, null, false])
    expect((await first()).success).toBe(true)
    await first()
    const after = (await reports('dora', ...window))[0]
    expect(after.deploymentFrequency.deployments).toBe(before.deploymentFrequency.deployments + 1)
    const { stdout } = await cli(['reports', 'dora'])
    expect(stdout).toContain('production')
    token = env.person
  })

  it('takes an invented history, and says why there is no number until the pipeline is registered', async () => {
    const source = await reports('sources', 'create', '--name', 'acme', '--source-format', 'github')
    const sent = await cli(
      ['events', 'fake', 'github', '--seed', '19', '--days', '29', '--source', source.source.url],
      {
        PLUMBLINE_SOURCE_SECRET: source.secret,
      },
    )
    expect(sent.stderr + sent.stdout).toMatch(/parked|wait/)
    const wrong = await reports('sources', 'create', '--name', 'wrong', '--source-format', 'gitlab')
    const unread = await cli(['events', 'fake', 'github', '--days', '2', '--source', wrong.source.url], {
      PLUMBLINE_SOURCE_SECRET: wrong.secret,
    })
    expect(unread.stderr).toMatch(/\d+x ignored: names no project/)
    const why = (await reports('dora'))[0].deploymentFrequency
    expect(why).toMatchObject({ perDay: null, why: 'parked', nextStep: expect.stringContaining('plumbline') })
    const made = await post('/pipelines', {
      project: 'shop',
      organization: 'acme',
      description: 'builds the shop',
      props: { synth: { source: { type: 'github', options: { repo: 'acme/shop' } }, plugin: { name: 'node-build' } } },
    })
    const { id } = made.pipeline
    const registered = await cli(['pipelines', 'register', '--pipeline', id])
    expect(registered.stderr).not.toContain('error')
    const [production] = await reports('dora')
    expect(production.deploymentFrequency).toMatchObject({ why: null, perDay: expect.any(Number) })
    const invented = fakeHistory({ seed: 19, days: 29, untilMs: Date.now() }).flatMap(({ steps }) => steps)
    const deployed = invented.filter(({ environment }) => environment === 'production')
    expect(production.changeFailureRate.attempts).toBe(deployed.length)
    for (const metric of [
      'deploymentFrequency',
      'changeFailureRate',
      'leadTime',
      'failedDeploymentRecovery',
      'reworkRate',
    ])
      expect([metric, production[metric].interval]).toEqual([
        metric,
        expect.objectContaining({ low: expect.any(Number) }),
      ])
    const byCurl = await data('/reports/execution/dora')
    expect(byCurl.dora.environments[0].changeFailureRate).toEqual(production.changeFailureRate)
    expect((await reports('dora', '--environment', 'prodution'))[0].leadTime).toMatchObject({
      why: 'no_environment',
      nextStep: expect.stringContaining('production'),
    })
  })

  it('counts a failure that was marked, and keeps the link that a person set', async () => {
    const rateOf = async () => (await reports('dora'))[0].changeFailureRate.postDeployFailures
    const before = await rateOf()
    const { deployments } = await data('/reports/deployments?environment=production&status=succeeded&limit=100')
    const free = deployments.filter(
      (each: { failedLater: unknown }) => each.failedLater === null || each.failedLater === false,
    )
    const [one, other] = free as { executionId: string }[]
    await reports('mark', one?.executionId ?? '', 'failed', '--note', 'broke checkout')
    expect(await rateOf()).toBe(before + 1)
    const [incident] = (await data('/reports/incidents?limit=100')).incidents
    await reports('link', incident.incidentId, other?.executionId ?? '')
    const linked = (await reports('incidents', '--limit', '100')).find(
      (each: { incidentId: string }) => each.incidentId === incident.incidentId,
    )
    expect(linked.link).toMatchObject({ kind: 'manual', deployment: { executionId: other?.executionId } })
  })

  it('draws the trend on the terminal and as a picture, and gives it as CSV', async () => {
    const { stdout, code } = await cli(['reports', 'trend', '--plot'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/█.*\n(.*\n)*█ deployments {2}▒ failed/)])
    expect((await cli(['reports', 'trend', '--svg', 'trend.svg'])).code).toBe(0)
    const picture = new DOMParser({
      onError: (_, message) => {
        throw new Error(message)
      },
    }).parseFromString(readFileSync(join(folder, 'trend.svg'), 'utf8'), 'image/svg+xml')
    expect(picture.getElementsByTagName('title')[0]?.textContent).toBe('Deployments to production')
    expect(picture.getElementsByTagName('rect').length).toBeGreaterThan(3)
    expect(await curl('/reports/execution/dora/trend', '-H', 'Accept: image/svg+xml')).toContain('<svg')
    const [head = '', ...rows] = (await curl('/reports/execution/dora/trend', '-H', 'Accept: text/csv'))
      .trim()
      .split('\r\n')
    expect(head.split(',').slice(0, 3)).toEqual(['"period"', '"partial"', '"deployments"'])
    expect(rows).toHaveLength((await reports('trend')).length)
  })

  it('says what would change a band, and what would help a scorecard most', async () => {
    const whatIf = await reports('what-if')
    expect(JSON.stringify(whatIf)).toMatch(/clean deployments?/)
    const [card] = await reports('scorecard', '--all')
    const { nextBestFix, score } = await reports('scorecard', card.pipelineId)
    for (const fix of nextBestFix) expect(fix.newScore).toBeGreaterThan(score)
    const doctor = await cli(['doctor', '--events'])
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('arrive; the last event arrived at')])
  })
})
