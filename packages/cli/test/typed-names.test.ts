/**
 * A refusal names what the user typed: for every command that is one request, each option and argument is refused by a
 * server, under the name that the request has for it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { optionNames } from '../src/program/option-names.js'
import { tableActions } from '../src/records/commands.js'
import { sentAs } from '../src/records/described.js'
import { typedFor } from '../src/records/typed.js'
import { spoken } from '../src/remote/refusal.js'
import { runCli } from './support/memory-io.js'

const NO_FILE = { options: {} }

it('of each option and argument of a table, never the field of the request', () => {
  let count = 0
  for (const action of tableActions()) {
    const typed = typedFor(action, NO_FILE)
    for (const [part, flags] of Object.entries({ query: action.query ?? [], body: action.body ?? [] })) {
      for (const flag of flags) {
        const said = spoken(`/${part}/${sentAs(flag)}: is wrong`, typed)
        // Two options may send one field, such as `--active` and `--inactive`.
        const longs = flags.filter((each) => sentAs(each) === sentAs(flag)).map((each) => optionNames(each).long)
        expect(
          longs.map((long) => `${long}: is wrong`),
          action.path,
        ).toContain(said)
        count += 1
      }
    }
    for (const { syntax, means, sends } of action.arguments ?? []) {
      const part = means === 'key' || means === 'path' ? 'path' : means === 'query' ? 'query' : 'body'
      expect(spoken(`/${part}/${sends}: is wrong`, typed), action.path).toBe(`${syntax}: is wrong`)
      count += 1
    }
  }
  expect(count).toBeGreaterThan(200)
})

it('keeps the name of a field that a file gave', () => {
  const action = tableActions().find(({ bodyFile, body = [] }) => bodyFile !== undefined && body.length > 0)
  const [flag] = action?.body ?? []
  if (action === undefined || flag === undefined) throw new Error('no command has a file and an option')
  const { key, long } = optionNames(flag)
  const place = `/body/${sentAs(flag)}: is wrong`
  expect(spoken(place, typedFor(action, { options: { file: 'x.yaml' } }))).toBe(`${sentAs(flag)}: is wrong`)
  expect(spoken(place, typedFor(action, { options: { file: 'x.yaml', [key]: 'v' } }))).toBe(`${long}: is wrong`)
})

let server: Server
let folder = ''
let issues: readonly { path: string; message: string }[] = []
let text = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-typed-'))
  writeFileSync(join(folder, 'plugin-spec.yaml'), 'name: a\n')
  writeFileSync(join(folder, 'report.json'), '{}')
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isMe = request.url === '/api/auth/me'
      const message = text === '' ? `${issues[0]?.path}: ${issues[0]?.message}` : text
      const refused = { success: false, statusCode: 400, code: 'VALIDATION_ERROR', message, details: { issues } }
      const data = { organization: { id: 'o' }, user: { id: 'u' }, memberships: [] }
      response.writeHead(isMe ? 200 : 400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isMe ? { success: true, data } : refused))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
})
afterAll(async () => {
  await new Promise((done) => server.close(done))
  rmSync(folder, { recursive: true })
})

const ID = '0190aaaa-0000-7000-8000-000000000001'
const DIGEST = `sha256:${'0'.repeat(64)}`

it.each<[command: string, path: string, said: string]>([
  ['images gc x', '/body/prefix', '<prefix>'],
  ['images gc x --max-age-days 3', '/body/maxAgeDays', '--max-age-days'],
  ['images storage x', '/path/prefix', '<prefix>'],
  ['images tags x', '/path/name', '<repository>'],
  ['images copy x y', '/body/target', '<target>'],
  ['images list --last x', '/query/last', '--last'],
  ['plugins list --version-range x', '/query/version', '--version-range'],
  ['plugins list', '/query/limit', '--limit'],
  ['plugins cancel x', '/path/jobId', '<job>'],
  ['plugins failed-builds --name x', '/query/pluginName', '--name'],
  ['plugins build-logs x', '/path/jobId', '<job>'],
  [`plugins update ${ID} --label a=b`, '/body/labels/a', '--label a'],
  ['plugins upload .', '/body/plugin/plugin-spec.yaml/computeType', 'plugin-spec.yaml computeType'],
  ['plugins upload .', '/body/plugin', 'the file'],
  ['plugins upload .', '/body/plugin/Dockerfile', 'Dockerfile'],
  ['plugins upload . --access public', '/body/accessModifier', '--access'],
  ['plugins build . --link a=b', '/body/links/0/url', '--link'],
  [`plugins scan ${ID} --file report.json --digest ${DIGEST}`, '/body/report/findings/0', '--file findings.0'],
  ['secrets set x --keep-value --plugin y', '/path/name', '<name>'],
  ['secrets set x --keep-value --plugin y', '/body/plugins/0', '--plugin'],
  ['secrets delete x --yes', '/path/name', '<name>'],
])('%s, refused at %s, names %s', async (command, path, said) => {
  text = ''
  issues = [
    { path, message: 'is wrong' },
    { path, message: 'is wrong again' },
  ]
  const env = { PLUMBLINE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PLUMBLINE_TOKEN: 'plp_x' }
  const { code, stderr } = await runCli(command.split(' '), { env, cwd: folder })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`error: ${said}: is wrong (VALIDATION_ERROR)`)])
  expect(stderr).toContain(`\n  ${said}: is wrong again\n`)
})

it.each([
  ['images copy x y', 'send `overwrite: true` to move it', 'give `--overwrite` to move it'],
  ['images delete x y --yes', 'send `?force=true` to delete them too', 'give `--force` to delete them too'],
])('%s, told to %s, says %s', async (command, message, said) => {
  text = message
  issues = []
  const env = { PLUMBLINE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PLUMBLINE_TOKEN: 'plp_x' }
  expect((await runCli(command.split(' '), { env, cwd: folder })).stderr).toContain(said)
})
