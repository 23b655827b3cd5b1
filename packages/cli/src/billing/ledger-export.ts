/**
 * `plumbline billing ledger export`: the credit ledger of the account, as a file that can be verified without the
 * server.
 */
import { downloadFrom } from '../audit/verify.js'
import { type CommandRun, ExitCode, NotDoneError, UsageError } from '../command.js'
import { flag, text } from '../program/invocation.js'
import { saveWhole } from '../program/save-whole.js'
import { write } from '../program/write.js'
import { readLedger } from './read-ledger.js'

export const run: CommandRun = async (invocation, io) => {
  const output = text(invocation, 'output') ?? '-'
  const source = await downloadFrom(invocation, io, '/billing/ledger/export')
  const isFile = await saveWhole(source, output, io, (partial) => readLedger(partial, io)).catch((error: unknown) => {
    if (output === '-' || error instanceof UsageError || error instanceof NotDoneError) throw error
    const code = (error as NodeJS.ErrnoException).code
    throw new NotDoneError(
      `the ledger was not written to \`${output}\`${code === undefined ? '' : ` (${code})`}`,
      'name a file in a folder that exists, with --output, and run the command again',
    )
  })
  if (isFile && !flag(invocation, 'quiet')) {
    const next = `plumbline billing ledger verify ${output} --audit <export>`
    await write(io.stderr, `wrote ${output}; check it against an audit export with \`${next}\`\n`)
  }
  return ExitCode.clean
}
