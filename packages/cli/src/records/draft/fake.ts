/** `plumbline ai fake` */
import { type CommandRun, ExitCode, UsageError } from '../../command.js'
import { onHost } from '../../host/load-server.js'
import { text } from '../../program/invocation.js'
import { write } from '../../program/write.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async ({ MISBEHAVIOURS, startFakeAi, untilStopped }) => {
    const asked = text(invocation, 'misbehave')
    const known: readonly string[] = [...MISBEHAVIOURS, 'good']
    if (asked === 'list') {
      await write(io.stdout, `${known.join('\n')}\n`)
      return ExitCode.clean
    }
    const kinds = (asked ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    const unknown = kinds.find((each) => !known.includes(each))
    if (unknown !== undefined)
      throw new UsageError(`\`${unknown}\` is not a kind of bad answer`, `one of ${known.join(', ')}`)
    const misbehave = kinds as (typeof MISBEHAVIOURS)[number][]
    const fake = await startFakeAi({ port: Number(invocation.options['port']), misbehave, waitMs: 1000 })
    const base = `http://127.0.0.1:${fake.port}`
    const settings = [
      `AI_ANTHROPIC_API_URL=${base}/v1`,
      `AI_OPENAI_API_URL=${base}/v1`,
      `AI_GOOGLE_API_URL=${base}/v1beta`,
      `AI_XAI_API_URL=${base}/v1`,
      `AI_AMAZON_BEDROCK_API_URL=${base}`,
      `AI_COMPAT_BASE_URL=${base}/v1`,
      'AI_COMPAT_MODEL=fake-1',
      'AI_PROVIDER=openai-compatible',
      `GIT_HOSTS=github:git.test=${base},gitlab:gitlab.test=${base},bitbucket:bitbucket.test=${base}`,
    ]
    await write(io.stdout, `${settings.join('\n')}\n`)
    await write(io.stderr, `listening on ${base}; give the server these settings\n`)
    const stop = () => fake.close().then(() => true)
    const isClean = await untilStopped(async () => ({ stop }))
    return isClean ? ExitCode.clean : ExitCode.findings
  })
