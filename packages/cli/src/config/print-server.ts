/** `plumbline config print --server` */
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { loadServer } from '../host/load-server.js'
import { write } from '../program/write.js'
import { print } from '../remote/table.js'

export const run: CommandRun = async (invocation, io) => {
  const { loadConfig, configPrint, configNotes } = await loadServer()
  const config = loadConfig({ environment: io.env, createKeys: false })
  if (!config.ok) {
    const issues = config.issues.map(({ message }) => message)
    throw new UsageError(
      'the settings of the server are wrong',
      'correct them in the environment, or in the file that PLUMBLINE_CONFIG names',
      issues,
    )
  }
  const settings = configPrint(config)
  await print(
    invocation,
    io,
    settings,
    settings.map(({ name, value, origin }) => [name, value ?? '(not set)', origin]),
  )
  for (const note of [...config.warnings.map(({ message }) => message), ...configNotes(config)]) {
    await write(io.stderr, `note: ${note}\n`)
  }
  return ExitCode.clean
}
