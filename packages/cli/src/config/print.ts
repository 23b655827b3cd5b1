/** Runs `plumbline config print`. */
import pc from 'picocolors'
import { type CommandRun, ExitCode } from '../command.js'
import { printData } from '../program/print-data.js'
import { configFieldNames } from './discover.js'
import { describeOrigin, resolveSettings } from './settings.js'

export const run: CommandRun = async (invocation, io) => {
  if (invocation.options['server'] === true) return (await import('./print-server.js')).run(invocation, io)
  const settings = await resolveSettings(invocation, io)
  const entries = configFieldNames.map((name) => {
    const { value, origin } = settings[name]
    return [name, { value, origin: describeOrigin(origin) }]
  })
  const report = { configFile: settings.configFile?.file ?? null, settings: Object.fromEntries(entries) }
  const colours = pc.createColors(io.colour)
  const lines = configFieldNames.map((name) => {
    const { value, origin } = settings[name]
    const text = JSON.stringify(value)
    const source =
      origin.kind === 'default' ? colours.dim(describeOrigin(origin)) : colours.cyan(describeOrigin(origin))
    return `${colours.bold(name.padEnd(14))} ${text.padEnd(36)} ${source}`
  })
  const file = settings.configFile?.file ?? 'none found, the defaults apply'
  await printData(invocation, io, report, () => `configuration file: ${file}\n\n${lines.join('\n')}\n`)
  return ExitCode.clean
}
