/** `plumbline billing provider setup` */
import { type CommandRun, ExitCode } from '../command.js'
import { onHost } from '../host/load-server.js'
import { printData } from '../program/print-data.js'
import { printable } from '../report/reporter.js'
import { cardSettingsOf } from './provider.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server, config) => {
    const apply = invocation.options['apply'] === true
    const { made, settings } = await server.setUpCardProvider(cardSettingsOf(server, config), apply)
    await printData(invocation, io, { applied: apply, made, settings }, () => {
      const head = made.length === 0 ? 'nothing is missing' : apply ? 'made:' : 'missing; --apply makes it:'
      const lines = [head, ...made.map((each) => `  ${printable(each)}`)]
      for (const [name, value] of Object.entries(settings)) lines.push(`${name}=${value}`)
      return `${lines.join('\n')}\n`
    })
    return ExitCode.clean
  })
