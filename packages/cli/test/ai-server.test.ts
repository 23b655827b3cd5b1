/** `plumbline ai` against a server whose model is the fake in its process: keys, and what `--quiet` leaves out. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, PERSON, type PersonServer, personServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

let server: PersonServer
beforeAll(async () => {
  server = await personServer({ BILLING_ENABLED: 'false', AI_PROVIDER: 'fake' })
  await cli(['login'], `${PERSON}\n${PASSWORD}\n`)
})
afterAll(() => remove(server))

const cli = (argv: string[], stdin?: string) =>
  runCli(argv, { env: server.env, cwd: server.folder, now: new Date(), ...(stdin === undefined ? {} : { stdin }) })

it('sets keys and removes one, which a variable without a value does not', async () => {
  const set = await cli(['ai', 'keys', '--anthropic', 'sk-a-1234', '--openai-compatible', 'key-5678', '--json'])
  expect(JSON.parse(set.stdout)).toMatchObject([{ provider: 'anthropic' }, { provider: 'openai-compatible' }])
  expect((await cli(['ai', 'keys', '--anthropic', ''])).code).toBe(2)
  expect((await cli(['ai', 'keys', '--openai-compatible', 'x', '--remove-openai-compatible'])).code).toBe(2)
  const { code, stdout, stderr } = await cli(['ai', 'keys', '--remove-openai-compatible', '--json'])
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([{ provider: 'anthropic' }])
})

it('tells how a draft came about, and only the draft with --quiet', async () => {
  const argv = ['ai', 'generate', 'pipeline', 'node service', '--json']
  const told = await cli(argv)
  expect([told.code, told.stderr]).toEqual([0, expect.stringMatching(/verdict: passed/)])
  const quiet = await cli([...argv, '--quiet'])
  expect([quiet.code, quiet.stderr]).toEqual([0, ''])
  expect(JSON.parse(quiet.stdout)).toMatchObject({ project: 'app' })
})
