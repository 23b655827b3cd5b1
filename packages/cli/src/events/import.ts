/** `plumbline events import`: sends a file of events, or of runs as the API of a forge lists them. */
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { readSource } from '../input/read-source.js'
import { write } from '../program/write.js'
import { openSession, telling } from '../remote/session.js'
import { deliver, receiverOf } from './deliver.js'
import { deliveryOf, recordsOf } from './pages.js'
import { tellEvents } from './tell.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const receiver = receiverOf(invocation, io)
    const { file, text } = await readSource(String(invocation.arguments[0]), io)
    if (receiver !== null) {
      const records = read(text, file)
      return deliver(
        io,
        receiver,
        records.map((record) => deliveryOf(receiver.format, record)),
      )
    }
    const lines = text
      .split('\n')
      .map((line, at) => ({ line: line.trim(), at: at + 1 }))
      .filter(({ line }) => line !== '')
    const events = lines.map(({ line, at }) => {
      try {
        return JSON.parse(line) as unknown
      } catch {
        throw new UsageError(
          `${file}:${at}: not a JSON object`,
          'write one event a line; pages of GitHub or GitLab and CDEvents need `--source`',
        )
      }
    })
    if (events.length === 0) {
      await write(io.stderr, `${file} has no event\n`)
      return ExitCode.clean
    }
    if (isOfSender(events[0])) {
      throw new UsageError(
        `${file}: this is what a forge or an engine sends`,
        'give the source that takes it: `--source <url>`, as `plumbline reports sources list` shows it',
      )
    }
    return tellEvents(openSession(invocation, io), io, events, (index) => `${file}:${lines[index]?.at ?? 0}`)
  })

/** A delivery, a page of a forge, or a CDEvent; not an event of the server's own form. */
const isOfSender = (record: unknown): boolean =>
  Array.isArray(record) ||
  (typeof record === 'object' &&
    record !== null &&
    !('pipelineId' in record) &&
    ['payload', 'workflow_runs', 'context', 'specversion', 'resourceSpans'].some((name) => name in record))

function read(text: string, file: string): unknown[] {
  try {
    return recordsOf(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UsageError(`${file}:${error.message}: not JSON`, 'give one JSON document, or one a line')
  }
}
