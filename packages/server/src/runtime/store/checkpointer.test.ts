import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkpointBeside } from './checkpointer.js'
import { openConnection } from './sqlite-connection.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-checkpoints-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

it('folds the log back into the database beside the writer, whose own commits do not', async () => {
  const file = join(folder, 'a.db')
  const writer = openConnection(file, 'write')
  writer.pragma('wal_autocheckpoint = 0')
  writer.exec('CREATE TABLE t (text TEXT)')
  const failed = vi.fn()
  const checkpoints = checkpointBeside(file, failed)
  const insert = writer.prepare('INSERT INTO t VALUES (?)')
  for (let i = 0; i < 50; i++) insert.run('x'.repeat(4000))
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(50 * 4000), { timeout: 60_000 })
  await checkpoints.close()
  expect(failed).not.toHaveBeenCalled()
  expect(writer.pragma('integrity_check', { simple: true })).toBe('ok')
  writer.close()
})

it('tells when the thread ends on its own', async () => {
  const failed = vi.fn()
  const checkpoints = checkpointBeside(join(folder, 'absent', 'a.db'), failed)
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce(), { timeout: 60_000 })
  await checkpoints.close()
})
