/**
 * Where reports go: `--format name` to standard output, `--format name=file` to a file, any number of times.
 * INVARIANT: at most one report goes to standard output, so that it can be parsed.
 */
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Invocation, type Io, UsageError } from '../command.js'
import { makeFolder } from './make-folder.js'
import { note } from './note.js'
import { printable } from './printable.js'
import { write } from './write.js'

export interface Output<Format extends string> {
  readonly format: Format
  /** Absolute path; null is standard output. */
  readonly path: string | null
}

/** @param given the value of a repeatable `--format`. Without it, `fallback` goes to standard output. */
export function chooseOutputs<Format extends string>(given: unknown, fallback: Format, cwd: string): Output<Format>[] {
  const names = (Array.isArray(given) ? given : given === undefined ? [fallback] : [given]) as readonly string[]
  const outputs = names.map((name): Output<Format> => {
    const at = name.indexOf('=')
    return at < 0
      ? { format: name as Format, path: null }
      : { format: name.slice(0, at) as Format, path: resolve(cwd, name.slice(at + 1)) }
  })
  const onStdout = outputs.filter(({ path }) => path === null)
  if (onStdout.length > 1) {
    throw new UsageError(
      `${onStdout.map(({ format }) => format).join(' and ')} cannot both go to standard output`,
      'write one of them to a file: --format name=file',
    )
  }
  return outputs
}

export async function writeOutputs<Format extends string>(
  outputs: readonly Output<Format>[],
  io: Io,
  render: (format: Format, colour: boolean) => string,
): Promise<void> {
  for (const { format, path } of outputs) {
    if (path === null) await write(io.stdout, render(format, io.colour))
    else await writeTextFile(path, render(format, false))
  }
}

/**
 * Writes to the file that `--output` names. Without it, or with `-`, writes to standard output. Returns whether it was
 * a file.
 */
export async function writeOutput(output: unknown, text: string, io: Io): Promise<boolean> {
  if (typeof output !== 'string' || output === '-') {
    await write(io.stdout, text)
    return false
  }
  await writeTextFile(resolve(io.cwd, output), text)
  return true
}

/**
 * Writes to the file that `--output` names and says so; `next` says what to do with the file. Without `--output`, or
 * with `-`, writes to standard output.
 */
export async function writeAndSay(invocation: Invocation, io: Io, text: string, next?: string): Promise<void> {
  const { output } = invocation.options
  if (!(await writeOutput(output, text, io))) return
  await note(invocation, io, `wrote ${printable(String(output))}${next === undefined ? '' : `; ${next}`}\n`)
}

/** Creates missing folders of the path. Throws `UsageError` when the file cannot be written. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path))
    await writeFile(path, text)
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
