/** Runs `plumbline plugins sbom`. */
import { type CommandRun, ExitCode } from '../../command.js'
import { openSession, telling } from '../../remote/session.js'
import { idOf } from '../keys.js'
import { plugins } from '../plugins.js'
import { fetchDocument, writeDocument } from './fetch.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const id = await idOf(session, [plugins], String(invocation.arguments[0]))
    await writeDocument(invocation, io, await fetchDocument(session, id, 'sbom'))
    return ExitCode.clean
  })
