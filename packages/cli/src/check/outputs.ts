/**
 * Where reports go: one to standard output, any number to files.
 * INVARIANT: a report file is complete or absent. It is written to a temporary file of this run alone and renamed at the
 * end. The temporary file is removed however the run ends, except when the process is killed. A device or a pipe is
 * written to directly and never replaced.
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream, rmSync } from 'node:fs'
import { realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type Io, UsageError } from '../command.js'
import { makeFolder } from '../program/make-folder.js'
import { write } from '../program/write.js'
import { createReporter } from '../report/create-reporter.js'
import type { FormatName } from '../report/format-name.js'
import type { Reporter } from '../report/reporter.js'

export interface ReportOutput {
  readonly format: FormatName
  readonly isStdout: boolean
  readonly reporter: Reporter
  write(text: string): Promise<void>
  /** Makes the file appear. */
  complete(): Promise<void>
  discard(): Promise<void>
}

/** The formats of a run when none is named: annotations inside GitHub Actions, otherwise text for people. */
export function defaultFormats(io: Io): readonly string[] {
  return [io.env.GITHUB_ACTIONS === 'true' && !io.stdoutIsTty ? 'github' : 'pretty']
}

/** Throws `UsageError` when two reports would share standard output or a file. */
export async function openOutputs(formats: readonly string[], io: Io, base: string): Promise<ReportOutput[]> {
  const places = new Set<string>()
  const parsed = formats.map((text) => {
    const at = text.indexOf('=')
    const format = (at < 0 ? text : text.slice(0, at)) as FormatName
    const path = at < 0 ? null : resolve(base, text.slice(at + 1))
    const place = path ?? 'standard output'
    if (places.has(place))
      throw new UsageError(`two reports go to ${place}`, 'send one to a file: `--format sarif=out.sarif`')
    places.add(place)
    return { format, path }
  })
  const outputs: ReportOutput[] = []
  try {
    for (const { format, path } of parsed) {
      outputs.push(path === null ? toStdout(format, io) : await toFile(format, path))
    }
  } catch (error) {
    for (const output of outputs) await output.discard()
    throw error
  }
  return outputs
}

function toStdout(format: FormatName, io: Io): ReportOutput {
  return {
    format,
    isStdout: true,
    reporter: createReporter[format](),
    write: (text) => write(io.stdout, text),
    complete: async () => {},
    discard: async () => {},
  }
}

async function toFile(format: FormatName, path: string): Promise<ReportOutput> {
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new UsageError(`the report ${path} cannot be written (${error.code})`)
  }
  await makeFolder(dirname(path)).catch(refuse)
  const isReplaced = (await stat(path).catch(() => null))?.isFile() !== false
  const place = isReplaced ? await realpath(path).catch(() => path) : path
  const partial = isReplaced ? `${place}.${randomUUID()}.partial` : place
  const stream: Writable = createWriteStream(partial, { flags: isReplaced ? 'wx' : 'w' })
  await new Promise((opened, failed) => stream.once('open', opened).once('error', failed)).catch(refuse)
  const remove = () => rmSync(partial, { force: true })
  if (isReplaced) process.once('exit', remove)
  return {
    format,
    isStdout: false,
    reporter: createReporter[format](),
    write: (text) => write(stream, text),
    async complete() {
      stream.end()
      await finished(stream).catch(refuse)
      if (!isReplaced) return
      await rename(partial, place).catch(refuse)
      process.removeListener('exit', remove)
    },
    async discard() {
      stream.destroy()
      if (!isReplaced) return
      process.removeListener('exit', remove)
      await rm(partial, { force: true })
    },
  }
}
