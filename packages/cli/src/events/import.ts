/** `plumbline events import`: a file of events, one a line. */
import { type CommandRun, UsageError } from '../command.js'
import { readSource } from '../records/documents.js'
import { openSession, telling } from '../remote/session.js'
import { tellEvents } from './tell.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const { file, text } = await readSource(String(invocation.arguments[0]), io)
    const lines = text
      .split('\n')
      .map((line, at) => ({ line: line.trim(), at: at + 1 }))
      .filter(({ line }) => line !== '')
    const events = lines.map(({ line, at }) => {
      try {
        return JSON.parse(line) as unknown
      } catch {
        throw new UsageError(`${file}:${at}: not a JSON object`, 'write one event a line')
      }
    })
    return tellEvents(openSession(invocation, io), io, events, (index) => `${file}:${lines[index]?.at ?? 0}`)
  })
