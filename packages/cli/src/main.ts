/**
 * The command line: parses, loads the one module that is needed, runs it, and returns an exit code.
 * INVARIANT: never throws and never exits; the caller decides what to do with the exit code.
 */
import pc from 'picocolors'
import { CommandError, ExitCode, type Io, UsageError } from './command.js'
import { commandGroups, commands } from './commands.js'
import { renderHelp } from './program/help.js'
import { parseCommandLine } from './program/parse.js'
import { printable } from './program/printable.js'
import { processIo } from './program/process-io.js'
import { version } from './program/version.js'
import { write } from './program/write.js'

/** `argv` without the executable and the script. Tests pass their own `io`. */
export async function main(argv: readonly string[], io: Io = processIo(argv)): Promise<number> {
  // `stdout.errored` does not work here: the streams of a process do not keep their error.
  let lost: NodeJS.ErrnoException | null = null
  io.stdout.on('error', (error) => {
    lost ??= error
  })
  try {
    const parsed = parseCommandLine(commands, argv)
    switch (parsed.kind) {
      case 'help':
        await write(io.stdout, renderHelp(parsed.path, commandGroups, io))
        return ExitCode.clean
      case 'version':
        await write(io.stdout, parsed.json ? `${JSON.stringify(versionReport(), null, 2)}\n` : `plumbline ${version}\n`)
        return ExitCode.clean
      case 'usage-error':
        throw new UsageError(parsed.message, parsed.hint)
      case 'run': {
        const module = await parsed.spec.load?.()
        if (!module) throw new Error(`command ${parsed.spec.name} has no module`)
        const exitCode = await module.run(parsed.invocation, io)
        // A stream reports its error one turn of the event loop after the write.
        await new Promise(setImmediate)
        refuseLostOutput(lost)
        return exitCode
      }
    }
  } catch (error) {
    return report(error, io)
  }
}

/**
 * A report that could not be written (a full disk) is an error. A reader that closed the pipe (`| head`) has what it
 * wanted.
 */
function refuseLostOutput(error: NodeJS.ErrnoException | null): void {
  if (error === null || error.code === 'EPIPE') return
  throw new UsageError(`standard output cannot be written (${error.code ?? error.message})`)
}

function versionReport(): Record<string, string> {
  return { name: 'plumbline', version, node: process.versions.node, platform: `${process.platform}-${process.arch}` }
}

function report(error: unknown, io: Io): number {
  const colours = pc.createColors(io.stderrColour === true)
  if (error instanceof CommandError) {
    io.stderr.write(`${colours.red('error:')} ${printable(error.message)}\n`)
    for (const detail of error.details) io.stderr.write(`  ${printable(detail)}\n`)
    if (error.hint !== undefined) io.stderr.write(`${colours.cyan('hint:')} ${printable(error.hint)}\n`)
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  io.stderr.write(`${colours.red('internal fault:')} ${message}\n`)
  if (io.env.PLUMBLINE_DEBUG) io.stderr.write(`${error instanceof Error ? error.stack : ''}\n`)
  else io.stderr.write(`${colours.cyan('hint:')} set PLUMBLINE_DEBUG=1 for the stack, and please report it\n`)
  return ExitCode.internal
}
