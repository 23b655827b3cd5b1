/**
 * The effect of group commit: the same change by one client, with one commit each, and by 64 clients that share
 * commits.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundle } from '../../../packages/server/proof/bundle.js'
import { type BenchOptions, type BenchTable, formatRate } from '../harness.js'

interface Rate {
  readonly perSecond: number
  readonly perCommit: number
}

export async function groupTable({ quick }: BenchOptions): Promise<BenchTable> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-group-'))
  const built = await bundle('proof/speed/store.ts')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [built.file, folder, quick ? '300' : '4000'])
    const { single, grouped } = JSON.parse(stdout) as { single: Rate; grouped: Rate }
    const row = (name: string, { perSecond, perCommit }: Rate) => [
      name,
      formatRate(perSecond),
      perCommit.toFixed(1),
      (perSecond / single.perSecond).toPrecision(3),
    ]
    return {
      title: 'Group commit: a row and its evidence, in process',
      unit: 'changes/s',
      columns: ['clients', 'changes/s', 'changes a commit', 'of one client'],
      rows: [row('1', single), row('64', grouped)],
    }
  } finally {
    built.clean()
    rmSync(folder, { recursive: true, force: true })
  }
}
