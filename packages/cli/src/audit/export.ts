/**
 * `plumbline audit export`: the log of an organization on a server, as a file that verifies without it.
 * INVARIANT: a file of the wanted name is whole; what a broken connection left is removed.
 */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readManifest } from '@plumbline/audit-chain'
import { type CommandRun, ExitCode, type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import { flag, text } from '../program/invocation.js'
import { write } from '../program/write.js'
import { openLines } from './input.js'
import { downloadFrom } from './verify.js'

const PATH = '/api/audit/export'

export const run: CommandRun = async (invocation, io) => {
  const server = text(invocation, 'server')
  const asked: Invocation =
    server === undefined ? invocation : { ...invocation, options: { ...invocation.options, url: server } }
  const output = text(invocation, 'output') ?? '-'
  const source = await downloadFrom(asked, io, PATH)
  if (output === '-') {
    for await (const chunk of source) await write(io.stdout, String(chunk))
    return ExitCode.clean
  }
  const file = resolve(io.cwd, output)
  const partial = `${file}.partial`
  try {
    await pipeline(source, createWriteStream(partial))
    await assertWhole(partial, io)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw explained(error, output)
  }
  if (!flag(invocation, 'quiet')) {
    await write(io.stderr, `wrote ${output}; check it with \`plumbline audit verify ${output} --key <file>\`\n`)
  }
  return ExitCode.clean
}

/** That the last line is the event that the first line names: a connection may end early without an error. */
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
