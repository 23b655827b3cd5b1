/** Runs `plumbline config print`. */
import pc from 'picocolors'
import { type CommandRun, ExitCode } from '../command.js'
import { write } from '../program/write.js'
import { configFieldNames } from './discover.js'
import { describeOrigin, resolveSettings } from './settings.js'

export const run: CommandRun = async (invocation, io) => {
  if (invocation.options['server'] === true) return (await import('../host/config-print.js')).run(invocation, io)
  const settings = await resolveSettings(invocation, io)
  if (invocation.options.json === true) {
    const entries = configFieldNames.map((name) => {
      const { value, origin } = settings[name]
      return [name, { value, origin: describeOrigin(origin) }]
    })
    const report = { configFile: settings.configFile?.file ?? null, settings: Object.fromEntries(entries) }
    await write(io.stdout, `${JSON.stringify(report, null, 2)}\n`)
    return ExitCode.clean
  }
  const colours = pc.createColors(io.colour)
  const lines = configFieldNames.map((name) => {
    const { value, origin } = settings[name]
    const text = JSON.stringify(value)
    const source =
      origin.kind === 'default' ? colours.dim(describeOrigin(origin)) : colours.cyan(describeOrigin(origin))
    return `${colours.bold(name.padEnd(14))} ${text.padEnd(36)} ${source}`
  })
  const file = settings.configFile?.file ?? 'none found, defaults are in force'
  await write(io.stdout, `configuration file: ${file}\n\n${lines.join('\n')}\n`)
  return ExitCode.clean
}
