/**
 * Loads the server when a command needs it. The server is not a dependency of the command line: the gate in CI should
 * not have to compile a database.
 */

import { type CommandRun, type Io, NotDoneError, UsageError } from '../command.js'
import { version } from '../program/version.js'

export type Server = typeof import('@plumbline/server')

export async function loadServer(): Promise<Server> {
  try {
    return await import('@plumbline/server')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(
      'this command needs the server, which is not installed',
      `run \`npm install @plumbline/server@${version}\` (not on npm yet: \`npm pack\` it in a clone of Plumbline)`,
    )
  }
}

/**
 * Runs a command with the server. Wrong settings, a database of another build, and refusals of the server become usage
 * errors.
 */
export async function onHost(
  invocation: Parameters<CommandRun>[0],
  io: Io,
  run: (
    server: Server,
    config: { environment: Io['env']; options: Record<string, string | undefined> },
  ) => Promise<number>,
): Promise<number> {
  const server = await loadServer()
  const data = invocation.options.data
  const config = { environment: io.env, options: typeof data === 'string' ? { DATA_DIR: data } : {} }
  try {
    return await run(server, config)
  } catch (error) {
    if (error instanceof server.BadSettings) {
      throw new UsageError(
        'the settings of the server are wrong',
        'correct them in the environment, or in the file that PLUMBLINE_CONFIG names',
        error.message.split('\n'),
      )
    }
    if (error instanceof server.CannotStart) throw new NotDoneError(error.message)
    const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number }
    if (code === 'EADDRINUSE') throw new NotDoneError(`port ${port} is in use by another program`, 'name another port')
    if (error instanceof server.Refusal || error instanceof server.ForeignSchema) throw new UsageError(error.message)
    throw error
  }
}
