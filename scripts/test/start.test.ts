/** `npm start` ends as the signal says: with its code, one line and no stack. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'scripts'))
mkdirSync(join(folder, 'packages', 'cli', 'bin'), { recursive: true })
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
copyFileSync(fileURLToPath(new URL('../start.mjs', import.meta.url)), join(folder, 'scripts', 'start.mjs'))
writeFileSync(
  join(folder, 'scripts', 'workspace.mjs'),
  `export const root = ${JSON.stringify(folder)}\nexport const installIfNeeded = async () => {}\nexport const buildIfStale = async () => {}\n`,
)

/** Starts a server of this text, sends the signal as soon as it says something, and waits for the end. */
function ended(server: string, signal: NodeJS.Signals): Promise<{ code: number | null; stderr: string }> {
  writeFileSync(join(folder, 'packages', 'cli', 'bin', 'plumbline.js'), `${server}\nconsole.log('here')\n`)
  const child = spawn(process.execPath, [join(folder, 'scripts', 'start.mjs')])
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  child.stdout.once('data', () => child.kill(signal))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })))
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s before the server is ready ends with %i, and one line says so', async (signal, code) => {
  expect(await ended('setInterval(() => {}, 1000)', signal)).toEqual({ code, stderr: 'stopped while starting\n' })
})

it('a server that ends by itself on the signal gives its own code and no line', async () => {
  const draining = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000)"
  expect(await ended(draining, 'SIGINT')).toEqual({ code: 0, stderr: '' })
})
