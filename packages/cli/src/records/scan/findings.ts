/** `plumbline scans findings`: a table or JSON for the eye and the shell, CSV and SARIF as the server writes them. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CommandRun, ExitCode, type Io, NotDoneError } from '../../command.js'
import { write } from '../../program/write.js'
import { openSession, replyOf, telling } from '../../remote/session.js'
import type { Columns, JsonObject } from '../resource.js'
import { showRecords } from '../show.js'

const columns: Columns = {
  severity: 'severity',
  target: 'target',
  entity: 'entityName',
  rule: 'ruleName',
  field: 'field',
  actual: 'actual',
  exemption: 'suppression.id',
  reason: 'suppression.reason',
  id: 'entityId',
}

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const { format = 'table', output } = invocation.options
    const asked = format === 'csv' || format === 'sarif' ? format : 'jsonl'
    const scan = encodeURIComponent(String(invocation.arguments[0]))
    const session = openSession(invocation, io)
    const response = await session.fetch(`/api/compliance/scans/${scan}/findings?format=${asked}`)
    if (!response.ok || response.body === null) await replyOf(response)
    const content = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    try {
      if (asked === 'jsonl') await showRecords(invocation, io, { records: recordsOf(content), columns })
      else await save(content, output, io)
    } catch (error) {
      // The server breaks a file off that it can not end.
      if (error instanceof TypeError) throw new NotDoneError('the findings did not come to their end: ask again')
      throw error
    }
    return ExitCode.clean
  })

async function* recordsOf(content: Readable): AsyncGenerator<JsonObject> {
  for await (const line of createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY })) {
    yield JSON.parse(line) as JsonObject
  }
}

/** Beside its place first: half a file is none. */
async function save(content: Readable, output: unknown, io: Io): Promise<void> {
  if (typeof output !== 'string' || output === '-') {
    for await (const chunk of content) await write(io.stdout, chunk)
    return
  }
  const path = resolve(io.cwd, output)
  const part = `${path}.part`
  try {
    await pipeline(content, createWriteStream(part))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof TypeError) throw error
    throw new NotDoneError(`the findings could not be saved: ${(error as Error).message}`)
  }
}
