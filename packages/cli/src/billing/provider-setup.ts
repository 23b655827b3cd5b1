/** `plumbline billing provider setup` */
import { type CommandRun, ExitCode } from '../command.js'
import { onHost } from '../host/load-server.js'
import { printData } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { providerSettingsOf } from './provider.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server, config) => {
    const apply = invocation.options['apply'] === true
    const found = providerSettingsOf(server, config)
    const isListing = found.BILLING_PROVIDER === 'marketplace'
    const { made, settings } = isListing ? server.describeListing(found) : await server.setUpCardProvider(found, apply)
    await printData(invocation, io, { applied: apply, made, settings }, () => {
      const head = isListing
        ? 'enter on the page of the listing:'
        : made.length === 0
          ? 'nothing is missing'
          : apply
            ? 'made:'
            : 'missing; --apply creates it:'
      const lines = [head, ...made.map((each) => `  ${printable(each)}`)]
      for (const [name, value] of Object.entries(settings)) lines.push(`${name}=${value}`)
      return `${lines.join('\n')}\n`
    })
    return ExitCode.clean
  })
