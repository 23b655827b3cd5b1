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

const VARIABLES = { ANTHROPIC_KEY: 'sk-a-1234', OWN_KEY: 'key-5678', EMPTY: '' }
const cli = (argv: string[], stdin?: string) =>
  runCli(argv, {
    env: { ...server.env, ...VARIABLES },
    cwd: server.folder,
    now: new Date(),
    ...(stdin === undefined ? {} : { stdin }),
  })

it('sets keys from variables and removes one, which a variable without a value does not', async () => {
  const both = ['--anthropic-env', 'ANTHROPIC_KEY', '--openai-compatible-env', 'OWN_KEY']
  const set = await cli(['ai', 'keys', ...both, '--json'])
  expect(JSON.parse(set.stdout)).toMatchObject([{ provider: 'anthropic' }, { provider: 'openai-compatible' }])
  for (const name of ['EMPTY', 'NOT_SET']) {
    const { code, stderr } = await cli(['ai', 'keys', '--anthropic-env', name])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`the variable ${name} holds no key`)])
  }
  const other = ['--openai-compatible-env', 'OWN_KEY', '--remove-openai-compatible']
  expect((await cli(['ai', 'keys', ...other])).code).toBe(2)
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

it('takes no key on the command line, where the list of processes shows it', async () => {
  const { code, stderr } = await cli(['ai', 'keys', '--anthropic', 'sk-a-1234'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('unknown option `--anthropic`')])
})

it('says that a version is taken in words of the command, not of the request', async () => {
  const save = ['ai', 'generate', 'plugin', 'python tool called lint-all', '--save', '--yes']
  expect((await cli(save)).code).toBe(0)
  const { code, stderr } = await cli(save)
  expect([code, stderr]).toEqual([3, expect.stringMatching(/is there: name another version in the prompt/)])
  expect(stderr).not.toContain('?replace')
})
