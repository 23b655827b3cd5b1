/** `plumbline billing provider check` */
import { type CommandRun, ExitCode } from '../command.js'
import { onHost } from '../host/load-server.js'
import { printData } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { providerSettingsOf } from './provider.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server, config) => {
    const settings = providerSettingsOf(server, config)
    const isMarketplace = settings.BILLING_PROVIDER === 'marketplace'
    const findings = isMarketplace ? await server.checkMarketplace(settings) : await server.checkCardProvider(settings)
    const isWrong = findings.some(({ state }) => state === 'wrong')
    await printData(invocation, io, { ok: !isWrong, findings }, () =>
      findings.map(({ topic, state, text }) => `${state.padEnd(6)} ${topic.padEnd(9)} ${printable(text)}\n`).join(''),
    )
    return isWrong ? ExitCode.usage : ExitCode.clean
  })
