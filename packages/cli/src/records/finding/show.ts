/** Shows findings of the server: a table or JSON is written here, CSV and SARIF come from the server. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ExitCode, type Invocation, type Io, NotDoneError } from '../../command.js'
import { write } from '../../program/write.js'
import { openSession, replyOf } from '../../remote/session.js'
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

/** @param path the route of the findings on the server. */
export async function showFindings(
  invocation: Invocation,
  io: Io,
  path: string,
  asked: Readonly<Record<string, string>> = {},
): Promise<ExitCode> {
  const { format = 'table', output } = invocation.options
  const form = format === 'csv' || format === 'sarif' ? format : 'jsonl'
  const session = openSession(invocation, io)
  const response = await session.fetch(`${path}?${new URLSearchParams({ ...asked, format: form })}`)
  if (!response.ok || response.body === null) await replyOf(response)
  const content = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  try {
    if (form === 'jsonl') await showRecords(invocation, io, { records: recordsOf(content), columns })
    else await save(content, output, io)
  } catch (error) {
    // If the server cannot finish the file, it ends the connection.
    if (error instanceof TypeError) throw new NotDoneError('the list of findings is incomplete: run the command again')
    throw error
  }
  return ExitCode.clean
}

async function* recordsOf(content: Readable): AsyncGenerator<JsonObject> {
  for await (const line of createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY })) {
    yield JSON.parse(line) as JsonObject
  }
}

/** Saves to a temporary file first, so that an incomplete file never has the requested name. */
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
