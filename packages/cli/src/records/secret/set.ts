/** `plumbline secrets set` */

import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../../command.js'
import { readSource } from '../../input/read-source.js'
import { flag, text, texts } from '../../program/invocation.js'
import { ask } from '../../remote/ask.js'
import { openSession, telling } from '../../remote/session.js'
import { confirming } from '../../remote/step-up.js'
import { tenantOf } from '../../remote/tenant.js'
import type { JsonObject } from '../resource.js'
import { showRecord } from '../show.js'
import { typedAs } from '../typed.js'

export const run: CommandRun = (invocation, io) =>
  telling(
    async () => {
      const value = await valueGiven(invocation, io)
      const plugins = pluginsOf(invocation)
      const session = openSession(invocation, io)
      const { id } = await tenantOf(session)
      const { data } = await confirming(session, io, (headers) =>
        session.send<{ secret: JsonObject }>({
          method: 'PUT',
          path: `/organization/${encodeURIComponent(id)}/secrets/${encodeURIComponent(String(invocation.arguments[0]))}`,
          body: { ...(value === undefined ? {} : { value }), ...(plugins === undefined ? {} : { plugins }) },
          headers,
        }),
      )
      await showRecord(invocation, io, data.secret)
      return ExitCode.clean
    },
    typedAs({ 'path.name': '<name>', 'body.plugins': '--plugin' }),
  )

function pluginsOf(invocation: Invocation): readonly string[] | undefined {
  const named = texts(invocation, 'plugin')
  if (invocation.options.plugins === false) {
    if (named.length > 0) throw new UsageError('--plugin and --no-plugins exclude each other')
    return []
  }
  return named.length === 0 ? undefined : named
}

async function valueGiven(invocation: Invocation, io: Io): Promise<string | undefined> {
  const file = text(invocation, 'file')
  if (file !== undefined) return (await readSource(file, io)).text.replace(/\r?\n$/, '')
  if (flag(invocation, 'keepValue')) {
    if (pluginsOf(invocation) !== undefined) return undefined
    throw new UsageError('--keep-value alone changes nothing', 'name plugins with --plugin, or none with --no-plugins')
  }
  return ask(io, 'Value of the secret: ', { secret: true })
}
