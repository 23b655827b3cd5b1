/**
 * Goal: a check log that was downloaded from a server, or kept as a file, is verified against the chain, and every
 * change to it is reported.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqliteDriver } from '../../server/src/runtime/store/sqlite-driver.js'
import { type DemoServer, demoServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

const HOUR_MS = 3_600_000
let folder = ''
let server: DemoServer
let env: Record<string, string>
let token = ''
const database = () => {
  return new (sqliteDriver().Database)(join(folder, 'data', 'plumbline.db'))
}
const cli = (...argv: string[]) => runCli(argv, { env, cwd: folder, now: new Date() })
/** The server runs in this process: a write that waited for one of its transactions would keep that from its end. */
const hasDeleted = (id: string) => {
  const opened = database()
  try {
    opened.pragma('busy_timeout = 0')
    return opened.prepare('DELETE FROM compliance_checks WHERE id = ?').run(id).changes === 1
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false
    throw error
  } finally {
    opened.close()
  }
}
const until = async (what: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 400 && !(await what()); tries++) await new Promise((next) => setTimeout(next, 50))
}

beforeAll(async () => {
  server = await demoServer()
  folder = server.folder
  token = await server.tokenOf('demo-owner')
  for (const version of ['1.0.0', 'latest', '2.0.0']) {
    await fetch(`${server.url}/api/compliance/validate/plugin`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ attributes: { version } }),
    })
  }
  await server.stop()
  // Hours ago, so that their hour is complete.
  const opened = database()
  opened.prepare('UPDATE compliance_checks SET created_at_ms = created_at_ms - ?').run(2 * HOUR_MS)
  opened.prepare('DELETE FROM schedule_ticks').run()
  opened.close()
  await server.start()
  env = { PLUMBLINE_URL: server.url, PLUMBLINE_TOKEN: token }
})
afterAll(() => remove(server))

const verify = async (...argv: string[]) => {
  const { code, stdout, stderr } = await cli('audit', 'verify', ...argv, '--trust-file-keys', '--json')
  return { code, log: stdout === '' ? stderr : JSON.parse(stdout).checkLog }
}
const save = async (path: string, file: string) => {
  const answer = await fetch(`${server.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
  writeFileSync(join(folder, file), await answer.text())
}

const sealed = async () => {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${server.url}/api/audit?action=checklog.seal`, { headers })
  const { data } = (await answer.json()) as { data: { events: { seq: number | null }[] } }
  return data.events.some(({ seq }) => seq !== null)
}

it('a check log on a server, and as a file, is what was sealed', async () => {
  await until(sealed)
  const remote = await verify('--server', '--check-log')
  expect(remote).toMatchObject({ code: 0, log: { verdict: 'valid', rows: 3, seals: 1, findings: [] } })
  await save('/audit/export', 'log.jsonl')
  await save('/compliance/audit/export', 'checks.jsonl')
  expect(await verify('log.jsonl', '--check-log', 'checks.jsonl')).toEqual(remote)
  const { stdout } = await cli('audit', 'verify', 'log.jsonl', '--check-log', 'checks.jsonl', '--trust-file-keys')
  expect(stdout).toMatch(/VALID {2}check log\n {2}checked {6}3 rows, 1 seal$/m)
})

it('a row that is changed in the file, and one that is deleted on the server, are named', async () => {
  const lines = readFileSync(join(folder, 'checks.jsonl'), 'utf8').trim().split('\n')
  const id = JSON.parse(lines[3] ?? '').check.id
  writeFileSync(join(folder, 'altered.jsonl'), lines.map((line) => line.replace('"pass"', '"warn"')).join('\n'))
  const altered = await verify('log.jsonl', '--check-log', 'altered.jsonl')
  expect(altered).toMatchObject({ code: 1, log: { verdict: 'invalid' } })
  expect(altered.log.findings.map(({ reason }: { reason: string }) => reason)).toContain('row_altered')
  await until(() => hasDeleted(id))
  await save('/compliance/audit/export', 'short.jsonl')
  expect(await verify('log.jsonl', '--check-log', 'short.jsonl')).toMatchObject({
    code: 1,
    log: { findings: [{ reason: 'row_missing', id, seq: expect.any(Number) }] },
  })
  const told = await cli('audit', 'verify', 'log.jsonl', '--check-log', 'short.jsonl', '--trust-file-keys')
  expect(told.stdout).toMatch(new RegExp(`row ${id} was sealed and is missing \\(row_missing, sealed by event \\d+\\)`))
})

it('says what is not a check log, and that a file or a server is needed', async () => {
  writeFileSync(join(folder, 'none.jsonl'), '{"plumblineCheckLog":1,"orgId":"another"}\n')
  const command = ['audit', 'verify', 'log.jsonl', '--trust-file-keys', '--check-log']
  expect(await cli(...command, 'none.jsonl')).toMatchObject({ code: 2 })
  expect((await cli(...command, 'log.jsonl')).stderr).toContain('line 1 is not a line of a check log')
  expect((await cli(...command)).stderr).toContain('--check-log takes a file')
})
