/**
 * The real terminal, streams, folder and clock as an `Io`.
 * INVARIANT: only this module reads `process` for a running command.
 */
import type { Io } from '../command.js'

/** Whether to use colour. The command line wins, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal. */
export function wantsColour(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  isTty: boolean,
): boolean {
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const asked = Math.max(options.lastIndexOf('--color'), options.lastIndexOf('--no-color'))
  if (asked >= 0) return options[asked] === '--color'
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return isTty && env.TERM !== 'dumb'
}

export function processIo(argv: readonly string[]): Io {
  // A reader that closes the pipe (`| head`) or a full disk must not crash the process. `main` checks the stream at the
  // end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const stdoutIsTty = process.stdout.isTTY === true
  const stderrIsTty = process.stderr.isTTY === true
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    env: process.env,
    stdoutIsTty,
    stderrIsTty,
    columns: process.stdout.columns ?? 80,
    colour: wantsColour(argv, process.env, stdoutIsTty),
    stderrColour: wantsColour(argv, process.env, stderrIsTty),
    now: () => new Date(),
  }
}
