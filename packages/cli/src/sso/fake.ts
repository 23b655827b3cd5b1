/** `plumbline sso fake` */
import { type CommandRun, ExitCode } from '../command.js'
import { onHost } from '../host/load-server.js'
import { text } from '../program/invocation.js'
import { write } from '../program/write.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async ({ startFakeSso, untilStopped }) => {
    const { port, dnsPort } = invocation.options
    const domain = text(invocation, 'domain')
    const isClean = await untilStopped(async () => {
      const fake = await startFakeSso({
        port: Number(port),
        dnsPort: Number(dnsPort),
        ...(domain === undefined ? {} : { domain }),
      })
      const settings = Object.entries(fake.settings).map(([name, value]) => `${name}=${value}\n`)
      await write(io.stdout, settings.join(''))
      const { url, clientId, clientSecret } = fake
      await write(
        io.stderr,
        `issuer ${url}, client id ${clientId}, client secret ${clientSecret}; give the server these settings\n`,
      )
      return { stop: () => fake.close().then(() => true) }
    })
    return isClean ? ExitCode.clean : ExitCode.findings
  })
