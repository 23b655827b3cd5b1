/** Runs `plumbline plugins scan`. */
import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../../command.js'
import { readSource } from '../../input/read-source.js'
import { isRecord } from '../../input/record.js'
import { text } from '../../program/invocation.js'
import { openSession, telling } from '../../remote/session.js'
import { idOf } from '../keys.js'
import { plugins } from '../plugins.js'
import type { JsonObject } from '../resource.js'
import { showRecord } from '../show.js'
import { typedAs } from '../typed.js'
import { imageDigestOf } from './fetch.js'

export const run: CommandRun = (invocation, io) =>
  telling(
    async () => {
      const report = await reportOf(invocation, io)
      const session = openSession(invocation, io)
      const id = await idOf(session, [plugins], String(invocation.arguments[0]))
      const imageDigest = await imageDigestOf(invocation, session, id)
      const { data } = await session.send<{ vulnerabilities: JsonObject }>({
        method: 'PUT',
        path: `/plugins/${id}/scan`,
        body: { imageDigest, report },
      })
      await showRecord(invocation, io, data.vulnerabilities)
      return ExitCode.clean
    },
    typedAs({ 'body.imageDigest': '--digest', 'body.report': '--file' }),
  )

/** @throws UsageError */
async function reportOf(invocation: Invocation, io: Io): Promise<JsonObject> {
  const name = text(invocation, 'file')
  if (name === undefined) throw new UsageError('no report is named', 'give --file, with a report in SARIF 2.1')
  const { file, text: content } = await readSource(name, io)
  try {
    const report: unknown = JSON.parse(content)
    if (isRecord(report)) return report
  } catch {
    // The error below reports it.
  }
  throw new UsageError(`\`${file}\` is not an object in JSON`, 'write the report as SARIF 2.1 in JSON')
}
