/**
 * Runs the first calls of the README against a server that was just started, as a reader would. A YAML block that names
 * a file is written, curl runs in a shell, `plumbline` runs in this process. `# 403 …` and `# exit 1` give the expected
 * result of the line before.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoServer, demoServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

const README = fileURLToPath(new URL('../../../README.md', import.meta.url))
let folder = ''
let server: DemoServer

beforeAll(async () => {
  // As started by `npm start`: with a month of history, whose rules apply too.
  server = await demoServer({ PLUMBLINE_DEMO_HISTORY: 'true' })
  folder = server.folder
})
afterAll(() => remove(server))

const hasShell = spawnSync('sh', ['-c', 'curl --version']).status === 0

/** Splits a line into arguments as a shell would. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

it.skipIf(!hasShell)('the first calls of the README do what it says', async () => {
  // Signs in with the password that the terminal shows, as the README does.
  const TOKEN = await server.tokenOf('demo-owner')
  const env: Record<string, string> = {
    TOKEN,
    URL: server.url,
    API: `${server.url}/api`,
    PLUMBLINE_URL: server.url,
    PLUMBLINE_TOKEN: TOKEN,
  }
  const section =
    /The demo has its own rules[\s\S]*?\nThe documentation of the API/.exec(readFileSync(README, 'utf8'))?.[0] ?? ''
  const run: string[] = []
  for (const [, language, body = ''] of section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const file = /^# (\S+\.yaml)\n/.exec(body)?.[1]
    if (language === 'yaml' && file !== undefined) {
      mkdirSync(join(folder, dirname(file)), { recursive: true })
      writeFileSync(join(folder, file), body)
    }
    if (language !== 'sh') continue
    const lines = body.trim().split('\n')
    for (const [at, line] of lines.entries()) {
      const said = /^# (?:exit )?(\d+)(?:.*: (.*))?$/.exec(lines[at + 1] ?? '')
      if (line.startsWith('curl ')) {
        const answer = await sh(`${line} -w '\n%{http_code}'`, env)
        expect(answer.split('\n').at(-1), answer).toBe(said?.[1])
      } else if (line.startsWith('npx plumbline ')) {
        const outcome = await runCli(words(line).slice(2), { env, cwd: folder, now: new Date() })
        expect(outcome.code, `${line}\n${outcome.stdout}${outcome.stderr}`).toBe(Number(said?.[1] ?? 0))
        run.push(outcome.stdout)
      } else if (line.startsWith('echo ')) await sh(line, env)
    }
  }
  expect(run[0]).toContain('`description` must not be empty')
  expect(run.at(-1)).toMatch(/parts[\s\S]*web[\s\S]*shop/)
})

/** The server runs in this process, so waiting for the shell must not block it. */
const sh = async (line: string, env: Record<string, string>): Promise<string> => {
  const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 60_000 }
  return (await promisify(execFile)('sh', ['-c', line], options)).stdout
}
