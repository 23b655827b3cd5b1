/** Goal: what a download puts on standard output is what the server sent, and a download that was cut is an error. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { Io } from '../command.js'
import { saveWhole } from './save-whole.js'

/** What was printed, and the copy as the check saw it. */
async function printed(bytes: Buffer, size: number, check: (text: string) => void = () => undefined) {
  const stdout = new PassThrough()
  const seen: Buffer[] = []
  stdout.on('data', (chunk: Buffer) => seen.push(chunk))
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  )
  const io = { stdout, cwd: '.' } as unknown as Io
  const outcome = await saveWhole(Readable.from(chunks), '-', io, async (copy) =>
    check(readFileSync(copy, 'utf8')),
  ).then(
    (isFile) => isFile,
    (error: Error) => error.message,
  )
  return { outcome, text: Buffer.concat(seen).toString() }
}

it('prints every character whole, wherever the chunks of the download end', async () => {
  const text = '{"name":"Zoë 数据 🚀"}\n'
  for (let size = 1; size <= 9; size++) {
    const copies: string[] = []
    expect(await printed(Buffer.from(text), size, (copy) => void copies.push(copy))).toEqual({ outcome: false, text })
    expect(copies).toEqual([text])
  }
})

it('fails when the download is not whole, although it was printed', async () => {
  const refuse = (text: string) => {
    if (!text.endsWith('}\n')) throw new Error('the export was cut')
  }
  expect(await printed(Buffer.from('{"a":1'), 4, refuse)).toEqual({ outcome: 'the export was cut', text: '{"a":1' })
})

it('makes a file that its owner alone can read, and leaves none behind a download that was cut', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-save-'))
  const io = { cwd: folder } as unknown as Io
  // What an earlier run left there has the mode of that run.
  writeFileSync(join(folder, 'export.jsonl.partial'), 'cut', { mode: 0o644 })
  expect(await saveWhole(Readable.from(['whole']), 'export.jsonl', io, async () => undefined)).toBe(true)
  expect([
    readFileSync(join(folder, 'export.jsonl'), 'utf8'),
    statSync(join(folder, 'export.jsonl')).mode & 0o777,
  ]).toEqual(['whole', 0o600])
  const cut = saveWhole(Readable.from(['cu']), 'cut.jsonl', io, async () => Promise.reject(new Error('it was cut')))
  await expect(cut).rejects.toThrow('it was cut')
  expect(readdirSync(folder)).toEqual(['export.jsonl'])
  rmSync(folder, { recursive: true })
})
