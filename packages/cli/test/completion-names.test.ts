/**
 * Shells complete names of records from the server: quickly, without error messages, and without running a name as
 * code.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, PERSON, type PersonServer, personServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'
import { workspace } from './support/workspace.js'

let server: PersonServer
let cache = ''
beforeAll(async () => {
  server = await personServer()
  cache = join(server.folder, 'cache')
  await cli(['login'], { stdin: `${PERSON}\n${PASSWORD}\n` })
  for (const name of ['no latest', 'No root', 'zeta']) await made(name)
})
afterAll(() => remove(server))

const RULE = (name: string) =>
  `kind: Rule\nname: ${name}\ntarget: plugin\nfield: version\noperator: neq\nvalue: latest\n`

const cli = (argv: string[], { stdin, now = new Date() }: { stdin?: string; now?: Date } = {}) =>
  runCli(argv, {
    env: { ...server.env, XDG_CACHE_HOME: cache },
    cwd: server.folder,
    now,
    ...(stdin === undefined ? {} : { stdin }),
  })
const names = async (kind: string, now?: Date) => {
  const { code, stdout, stderr } = await cli(['completion', '--names', kind], now === undefined ? {} : { now })
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter((line) => line !== '')
}
async function made(name: string): Promise<void> {
  const { code, stderr } = await cli(['apply', '--file', '-'], { stdin: RULE(name) })
  expect(code, stderr).toBe(0)
}

it('prints the names of a kind, and keeps them for a minute in a file of this person alone', async () => {
  expect(await names('rules')).toEqual(['No root', 'no latest', 'zeta'])
  expect(await names('catalog')).toContain('standard-plugin-version-fixed')
  await made('later')
  expect(await names('rules')).not.toContain('later')
  expect(await names('rules', new Date(Date.now() + 61_000))).toContain('later')
  const folder = join(cache, 'plumbline', 'names')
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600)
  expect(await names('nonsense')).toEqual([])
})

it('knows the members, the secrets and the organizations of the person who is signed in', async () => {
  const set = await cli(['secrets', 'set', 'NPM_TOKEN'], { stdin: 'hunter2hunter2' })
  expect(set.code, set.stderr).toBe(0)
  expect(await names('secrets')).toEqual(['NPM_TOKEN'])
  expect(await names('members')).toEqual([PERSON])
  const { stdout } = await cli(['orgs', '--json'])
  const organizations = JSON.parse(stdout) as { slug: string }[]
  expect(await names('organizations')).toEqual(organizations.map(({ slug }) => slug).sort())
  expect(await names('constructor')).toEqual([])
})

it('forgets them when the person signs out', async () => {
  await names('rules')
  expect((await cli(['logout'])).code).toBe(0)
  expect(existsSync(join(cache, 'plumbline', 'names'))).toBe(false)
  await cli(['login'], { stdin: `${PERSON}\n${PASSWORD}\n` })
})

it('gives what it knows where the server is away, and nothing to another person', async () => {
  const known = await names('rules')
  await server.stop()
  expect(await names('rules', new Date(Date.now() + 300_000))).toEqual(known)
  expect(await names('policies')).toEqual([])
  const other = { ...server.env, PLUMBLINE_TOKEN: 'plt_other', PLUMBLINE_URL: server.url || 'http://127.0.0.1:9' }
  const outcome = await runCli(['completion', '--names', 'rules'], { env: { ...other, XDG_CACHE_HOME: cache } })
  expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' })
  await server.start()
})

it('waits for a server that does not answer no longer than a person would, and says nothing where nobody is signed in', async () => {
  const silent = createServer(() => undefined).listen(0)
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const startedMs = performance.now()
  const asked = await runCli(['completion', '--names', 'rules'], {
    env: { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: 'plt_x', XDG_CACHE_HOME: cache },
  })
  expect(asked).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(performance.now() - startedMs).toBeLessThan(20_000)
  silent.closeAllConnections()
  silent.close()
  const nobody = await runCli(['completion', '--names', 'rules'], { env: { HOME: cache, XDG_CACHE_HOME: cache } })
  expect(nobody).toEqual({ code: 0, stdout: '', stderr: '' })
})

it('completes them in bash, whatever they hold', async () => {
  const folder = workspace().root
  const script = (await runCli(['completion', 'bash'])).stdout
  const answers = [
    'no latest',
    '$(touch harm)',
    '`touch harm`',
    'tool@1.0.0',
    'tool@2.0.0',
    'web-shop/acme',
    "it's; touch harm",
  ]
  const complete = (line: string, words: readonly string[]) => {
    const stub = `plumbline() { printf '%s\\n' ${answers.map((each) => `'${each.replaceAll("'", `'\\''`)}'`).join(' ')}; }`
    const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const program = `${stub}\n${script}\nCOMP_LINE='${line}'; COMP_POINT=${line.length}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _plumbline; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-s'], { encoding: 'utf8', cwd: folder, input: program }).trim().split('\n')
  }
  expect(complete('plumbline rules get ', ['plumbline', 'rules', 'get', ''])).toEqual(answers)
  expect(complete('plumbline rules get no\\ l', ['plumbline', 'rules', 'get', 'no\\ l'])).toEqual(['no latest'])
  expect(complete('plumbline plugins get tool@', ['plumbline', 'plugins', 'get', 'tool', '@'])).toEqual([
    '@1.0.0',
    '@2.0.0',
  ])
  expect(complete('plumbline pipelines get web', ['plumbline', 'pipelines', 'get', 'web'])).toEqual(['web-shop/acme'])
  expect(complete('plumbline secrets delete ', ['plumbline', 'secrets', 'delete', ''])).toEqual(answers)
  const orgs = ['plumbline', 'members', '--org']
  expect(complete('plumbline members --org web', [...orgs, 'web'])).toEqual(['web-shop/acme'])
  expect(complete('plumbline members --org=web', [...orgs, '=', 'web'])).toEqual(['web-shop/acme'])
  expect(complete('plumbline rules get --f', ['plumbline', 'rules', 'get', '--f'])).toEqual(['--format'])
  expect(existsSync(join(folder, 'harm'))).toBe(false)
})
