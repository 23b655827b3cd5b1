/** `plumbline backup verify` */
import { resolve } from 'node:path'
import { argument } from '../audit/options.js'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { print } from '../remote/table.js'
import { loadServer } from './load-server.js'

export const run: CommandRun = async (invocation, io) => {
  const { verifyBackup } = await loadServer()
  const check = await verifyBackup(resolve(io.cwd, argument(invocation, 0))).catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  })
  await print(
    invocation,
    io,
    check,
    check.problems.length === 0
      ? [[`sound: made ${check.manifest.createdAt}, ${check.manifest.entries.length} parts`]]
      : check.problems.map((problem) => [`damaged: ${problem}`]),
  )
  return check.problems.length === 0 ? ExitCode.clean : ExitCode.findings
}
