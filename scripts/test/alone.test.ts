/** Commands of one folder install and build one after another, also when one of them was killed in the middle. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-alone-'))
const lock = join(folder, 'lock')
const log = join(folder, 'log')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = `
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { alone } from ${JSON.stringify(new URL('../alone.mjs', import.meta.url))}
const [lock, log, ending] = process.argv.slice(1)
await alone(lock, async () => {
  appendFileSync(log, 'in ')
  await sleep(100)
  if (ending === 'exit') process.exit(3)
  if (ending === 'throw') throw new Error('a fault')
  appendFileSync(log, 'out ')
})
`
const run = (ending: string, onSaid: (said: string) => void = () => undefined) =>
  new Promise<{ code: number | null; said: string }>((resolve) => {
    const args = ['--input-type=module', '--eval', program, lock, log, ending]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk
      onSaid(said)
    })
    child.on('exit', (code) => resolve({ code, said }))
  })

it('runs one after another', async () => {
  writeFileSync(log, '')
  const all = await Promise.all([run('end'), run('end'), run('end'), run('end')])
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(4))
  expect(existsSync(lock)).toBe(false)
})

it('says who is waited for, once that process has written its id', async () => {
  writeFileSync(lock, '')
  setTimeout(() => writeFileSync(lock, String(process.pid)), 1000)
  const { code, said } = await run('end', () => rmSync(lock))
  expect(code).toBe(0)
  expect(said).toBe(`Waiting for process ${process.pid}, which installs or builds in this folder\n`)
})

it.each([
  ['throw', 1],
  ['exit', 3],
])('is free again after a command that ends by %s', async (ending, code) => {
  expect((await run(ending)).code).toBe(code)
  expect(existsSync(lock)).toBe(false)
})

it('is free after a command that was killed', async () => {
  const dead = spawn(process.execPath, ['--eval', ''])
  await new Promise((resolve) => dead.on('exit', resolve))
  writeFileSync(lock, String(dead.pid))
  writeFileSync(log, '')
  const all = await Promise.all([run('end'), run('end')])
  expect(all.map(({ code }) => code)).toEqual([0, 0])
  expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(2))
})

it.each([
  ['another process has the id', String(process.pid)],
  ['nothing was written', ''],
])('is free after half an hour, also where %s', async (_, holder) => {
  writeFileSync(lock, holder)
  const beganS = Date.now() / 1000 - 31 * 60
  utimesSync(lock, beganS, beganS)
  writeFileSync(log, '')
  expect((await run('end')).code).toBe(0)
  expect(readFileSync(log, 'utf8')).toBe('in out ')
})
