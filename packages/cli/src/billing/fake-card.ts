/** `plumbline billing fake card` */
import { type CommandRun, ExitCode } from '../command.js'
import { loadServer } from '../host/load-server.js'

export const run: CommandRun = async (invocation, io) => {
  const { startFakeCard, untilStopped } = await loadServer()
  const { port, webhook, shape } = invocation.options
  await untilStopped(async () => {
    const fake = await startFakeCard({
      port: typeof port === 'number' ? port : 4010,
      webhookUrl: typeof webhook === 'string' ? webhook : 'http://127.0.0.1:3000/api/billing/card-provider/webhook',
      shape: shape === 'old' ? 'old' : 'new',
    })
    for (const [name, value] of Object.entries(fake.settings)) io.stdout.write(`${name}=${value}\n`)
    io.stderr.write(`the card provider listens at ${fake.url}; start the server with the settings above\n`)
    return { stop: () => fake.close().then(() => true) }
  })
  return ExitCode.clean
}
