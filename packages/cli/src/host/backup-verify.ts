/** `plumbline backup verify` */
import { resolve } from 'node:path'
import type { BackupCheck } from '@plumbline/server'
import { readVerifierKeys } from '../audit/keys.js'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument, texts } from '../program/invocation.js'
import { print } from '../remote/table.js'
import { loadServer } from './load-server.js'
import { passphraseIfGiven } from './passphrase.js'

export const run: CommandRun = async (invocation, io) => {
  const { verifyBackup } = await loadServer()
  const keys = await readVerifierKeys(texts(invocation, 'key'), io)
  const passphrase = () => passphraseIfGiven(io, { asks: keys.length === 0 })
  const check = await verifyBackup(resolve(io.cwd, argument(invocation, 0)), { passphrase, keys }).catch(
    (error: unknown) => {
      throw new UsageError(error instanceof Error ? error.message : String(error))
    },
  )
  await print(invocation, io, check, rowsOf(check))
  if (check.problems.length > 0) return ExitCode.findings
  return check.provenBy.length > 0 ? ExitCode.clean : ExitCode.notEvaluated
}

function rowsOf({ manifest, problems, provenBy, seals }: BackupCheck): string[][] {
  if (problems.length > 0) return problems.map((problem) => [`refused: ${problem}`])
  const what = `made ${manifest.createdAt}, ${manifest.entries.length} parts`
  if (provenBy.length > 0) return [[`sound: ${what}; unchanged, as proven by: ${provenBy.join(', ')}`]]
  return [
    [`complete: ${what}, each as the manifest says`],
    ['nothing proves that it is unchanged: a person who changes a part can also rewrite the manifest'],
    ...(seals.passphrase ? [['to do: give its passphrase (PLUMBLINE_BACKUP_PASSPHRASE)']] : []),
    ...(seals.signature ? [['to do: give the public key of the server that made it with --key']] : []),
    ...(seals.passphrase || seals.signature
      ? []
      : [['it has no seal: it was made without one, or the seal was removed']]),
  ]
}
