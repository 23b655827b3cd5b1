/**
 * `plumbline billing ledger export`: the credit ledger of the account, as a file that verifies without the server.
 * INVARIANT: a file of the wanted name is whole; what a broken connection left is removed.
 */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { downloadFrom } from '../audit/verify.js'
import { type CommandRun, ExitCode, NotDoneError, UsageError } from '../command.js'
import { flag, text } from '../program/invocation.js'
import { write } from '../program/write.js'
import { readLedger } from './read-ledger.js'

export const run: CommandRun = async (invocation, io) => {
  const output = text(invocation, 'output') ?? '-'
  const source = await downloadFrom(invocation, io, '/api/billing/ledger/export')
  if (output === '-') {
    for await (const chunk of source) await write(io.stdout, String(chunk))
    return ExitCode.clean
  }
  const file = resolve(io.cwd, output)
  const partial = `${file}.partial`
  try {
    await pipeline(source, createWriteStream(partial))
    await readLedger(partial, io)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    if (error instanceof UsageError || error instanceof NotDoneError) throw error
    const code = (error as NodeJS.ErrnoException).code
    throw new NotDoneError(
      `the ledger was not written to \`${output}\`${code === undefined ? '' : ` (${code})`}`,
      'name a file in a folder that exists, with --output, and run the command again',
    )
  }
  if (!flag(invocation, 'quiet')) {
    const next = `plumbline billing ledger verify ${output} --audit <export>`
    await write(io.stderr, `wrote ${output}; check it against an audit export with \`${next}\`\n`)
  }
  return ExitCode.clean
}
