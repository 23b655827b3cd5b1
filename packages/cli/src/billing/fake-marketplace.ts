/** `plumbline billing fake marketplace` */
import { type CommandRun, ExitCode } from '../command.js'
import { loadServer } from '../host/load-server.js'

export const run: CommandRun = async (invocation, io) => {
  const { startFakeMarketplace, untilStopped } = await loadServer()
  const { port, endpoint } = invocation.options
  await untilStopped(async () => {
    const fake = await startFakeMarketplace({
      port: typeof port === 'number' ? port : 4011,
      endpoint: typeof endpoint === 'string' ? endpoint : 'http://127.0.0.1:3000/api/billing/marketplace/notifications',
      version: invocation.options['signature'] === '1' ? '1' : '2',
    })
    for (const [name, value] of Object.entries(fake.settings)) io.stdout.write(`${name}=${value}\n`)
    io.stderr.write(`the marketplace listens at ${fake.url}; start the server with the settings above\n`)
    return { stop: () => fake.close().then(() => true) }
  })
  return ExitCode.clean
}
