/** `plumbline audit export`: downloads the log of an organization as a file that can be verified without the server. */
import { readManifest } from '@plumbline/audit-chain'
import { type CommandRun, ExitCode, type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import { flag, text } from '../program/invocation.js'
import { saveWhole } from '../program/save-whole.js'
import { write } from '../program/write.js'
import { openLines } from './input.js'
import { downloadFrom } from './verify.js'

const PATH = '/audit/export'

export const run: CommandRun = async (invocation, io) => {
  const server = text(invocation, 'server')
  const asked: Invocation =
    server === undefined ? invocation : { ...invocation, options: { ...invocation.options, url: server } }
  const output = text(invocation, 'output') ?? '-'
  const source = await downloadFrom(asked, io, PATH)
  const isFile = await saveWhole(source, output, io, (partial) => assertWhole(partial, io)).catch((error: unknown) => {
    throw output === '-' ? error : explained(error, output)
  })
  if (isFile && !flag(invocation, 'quiet')) {
    await write(io.stderr, `wrote ${output}; check it with \`plumbline audit verify ${output} --key <file>\`\n`)
  }
  return ExitCode.clean
}

/**
 * Checks that the last line is the event that the manifest names as the last. A connection can end early without an
 * error.
 */
async function assertWhole(path: string, io: Io): Promise<void> {
  let first = ''
  let last = ''
  let isCut = false
  for await (const lines of openLines(path, io).lines) {
    if (first === '') first = lines.texts[0] ?? ''
    last = lines.texts.at(-1) ?? last
    isCut = lines.isCut
  }
  const manifest = readManifest(jsonOf(first))
  const seq = first === last ? (manifest?.from ?? 1) - 1 : (jsonOf(last) as { seq?: unknown } | null)?.seq
  if (manifest === null) throw new NotDoneError('the server sent something that is not an audit bundle')
  if (isCut || seq !== manifest.to) {
    throw new NotDoneError(`the export ended early: event ${manifest.to} is missing`, 'run the command again')
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function explained(error: unknown, output: string): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (error instanceof UsageError || error instanceof NotDoneError) return error
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR' || code === 'EROFS' || code === 'ENOSPC') {
    return new UsageError(
      `\`${output}\` cannot be written (${code})`,
      'name a file in a folder that exists, with --output',
    )
  }
  return new NotDoneError('the connection broke off while the log was exported', 'run the command again')
}
