/**
 * What a command prints besides its data: errors, warnings and notes, on stderr.
 * INVARIANT: an error is always printed; `--quiet` silences the rest.
 */
import pc from 'picocolors'
import type { Invocation, Io } from '../command.js'
import { printable } from './printable.js'

export interface Log {
  error(message: string): void
  warn(message: string): void
  note(message: string): void
}

export function createLog(invocation: Invocation, io: Io): Log {
  const quiet = invocation.options.quiet === true
  const colours = pc.createColors(io.stderrColour === true)
  // Names of files and records are part of messages, and a CI runner obeys lines that begin with `::`.
  const line = (label: string, message: string) => io.stderr.write(`${label} ${printable(message)}\n`)
  return {
    error: (message) => line(colours.red('error:'), message),
    warn: (message) => {
      if (!quiet) line(colours.yellow('warning:'), message)
    },
    note: (message) => {
      if (!quiet) line(colours.cyan('note:'), message)
    },
  }
}
