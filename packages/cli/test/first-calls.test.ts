/**
 * Runs the first calls of the README against a server that has just been started, as a reader would: a YAML block that names
 * a file is written, curl goes through a shell, `plumbline` runs here. `# 403 …` and `# exit 1` say what came before them.
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
  server = await demoServer()
  folder = server.folder
})
afterAll(() => remove(server))

const hasShell = spawnSync('sh', ['-c', 'curl --version']).status === 0

/** Arguments as a shell would split them. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

it.skipIf(!hasShell)('the first calls of the README do what it says', async () => {
  // With the password that the terminal shows, as the README does.
  const TOKEN = await server.tokenOf('demo-owner')
  const env: Record<string, string> = {
    TOKEN,
    URL: server.url,
    API: `${server.url}/api`,
    PLUMBLINE_URL: server.url,
    PLUMBLINE_TOKEN: TOKEN,
  }
  const section =
    /Write a rule\. It blocks[\s\S]*?\nThe API documents itself/.exec(readFileSync(README, 'utf8'))?.[0] ?? ''
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

/** The server answers in this process meanwhile, so nothing may wait for the shell. */
const sh = async (line: string, env: Record<string, string>): Promise<string> => {
  const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 20_000 }
  return (await promisify(execFile)('sh', ['-c', line], options)).stdout
}
