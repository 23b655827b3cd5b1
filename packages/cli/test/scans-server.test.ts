/** Scans and schedules on the command line, against a real server in this process. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PASSWORD, PERSON, type PersonServer, personServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

let server: PersonServer

beforeAll(async () => {
  server = await personServer()
  await cli(['login'], `${PERSON}\n${PASSWORD}\n`)
})
afterAll(() => remove(server))

const cli = (argv: string[], stdin?: string) =>
  runCli(argv, { env: server.env, cwd: server.folder, now: new Date(), ...(stdin === undefined ? {} : { stdin }) })
const read = async (argv: string[], code = 0) => {
  const outcome = await cli(argv)
  expect(outcome.code, outcome.stderr).toBe(code)
  return parse(outcome.stdout)
}

it('starts a scan and follows it to its end; finds, shows and refuses to cancel it', async () => {
  const scan = await read(['scans', 'start', '--watch', '-f', 'yaml'])
  expect(scan).toMatchObject({ status: 'completed', target: 'all', triggeredBy: 'manual', processedEntities: 0 })
  expect(await read(['scans', 'get', scan.id])).toEqual(scan)
  expect(await read(['scans', 'watch', scan.id, '-f', 'json'])).toEqual(scan)
  expect(await read(['scans', 'list', '--status', 'completed', '-f', 'json'])).toEqual([scan])
  expect(await read(['scans', 'results', '--scan', scan.id, '-f', 'yaml'])).toEqual([])
  const refused = await cli(['scans', 'cancel', scan.id])
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('is completed')])
  const unknown = await cli(['scans', 'watch', '00000000-0000-7000-8000-000000000000'])
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('Scan not found')])
  const dry = await read([
    'scans',
    'start',
    '--target',
    'plugin',
    '--name',
    'node',
    '--dry-run',
    '--watch',
    '-f',
    'yaml',
  ])
  expect(dry).toMatchObject({ dryRun: true, target: 'plugin', filter: { name: 'node' } })
})

it('shows the scan as a table, and names the command that follows it', async () => {
  const started = await cli(['scans', 'start', '--target', 'plugin'])
  expect(started.stdout).toMatch(/^STATUS +TARGET +BY .*\n\w+ +plugin +manual /)
  expect(started.stderr).toMatch(/^`plumbline scans watch [\w-]{36}` follows it\n$/)
  const [id = ''] = /[\w-]{36}/.exec(started.stderr) ?? []
  expect((await cli(['scans', 'watch', id, '--quiet'])).stdout).toMatch(/\ncompleted +plugin /)
})

it('creates, changes, switches and lists schedules; a wrong expression is told where', async () => {
  const made = await read(['schedules', 'create', '--target', 'plugin', '--cron', '30 2 * * MON-FRI'])
  expect(made).toMatchObject({ isActive: true, cronExpression: '30 2 * * MON-FRI' })
  expect(await read(['schedules', 'update', made.id, '--target', 'all'])).toMatchObject({ target: 'all' })
  expect(await read(['schedules', 'disable', made.id])).toMatchObject({ isActive: false, nextRunAt: null })
  expect(await read(['schedules', 'enable', made.id])).toMatchObject({ isActive: true })
  const table = await cli(['schedules', 'list', '--active', 'true'])
  expect(table.stdout).toMatch(/^CRON +TARGET +ACTIVE +NEXT +LAST +ID\n30 2 \* \* MON-FRI +all +true/)
  const wrong = await cli(['schedules', 'create', '--target', 'plugin', '--cron', '61 * * * *'])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('minute takes 0 to 59')])
})
