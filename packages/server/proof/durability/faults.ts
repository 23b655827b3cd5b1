/** Full disks and I/O errors, one after the other, under a writer that has to answer truthfully and to recover. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type FaultKind = 'enospc' | 'eio' | 'sync'

export interface FaultResult {
  readonly points: number
  readonly writes: number
  readonly refusals: number
  readonly lostGroups: number
  readonly problems: string[]
}

export function failEach(writer: string, shim: string, kind: FaultKind, points: number): FaultResult {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-fault-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const control = join(folder, 'control')
  writeFileSync(control, Buffer.alloc(16))
  try {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [writer, 'faults', data, control, String(points), kind],
      {
        env: { ...process.env, LD_PRELOAD: shim, PLUMBLINE_SHIM_FOLDER: data, PLUMBLINE_SHIM_CONTROL: control },
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(`the writer ended with ${status}: ${stderr.slice(0, 2000)}`)
    const result = JSON.parse(stdout) as FaultResult
    // A run in which nothing failed would pass for the wrong reason.
    if (result.refusals === 0) result.problems.push('no write was refused: the faults did not reach the database')
    return result
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
