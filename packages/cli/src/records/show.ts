/**
 * Shows records: a table that fits the terminal, JSON or YAML. JSON and YAML are written while pages arrive, so that a
 * long list needs little memory.
 */
import { resolve } from 'node:path'
import type { Invocation, Io } from '../command.js'
import { writeTextFile } from '../program/outputs.js'
import { type Form, formOf, jsonText, yamlWriter } from '../program/print-data.js'
import { write } from '../program/write.js'
import type { Columns, JsonObject } from './resource.js'
import { tableText } from './table.js'

/** Writes text to standard output, or to the file that `--output` names. */
interface Sink {
  put(text: string): Promise<void>
  end(): Promise<void>
  readonly isTerminal: boolean
}

function sinkOf({ options }: Invocation, io: Io): Sink {
  const { output } = options
  if (typeof output !== 'string' || output === '-') {
    return { isTerminal: io.stdoutIsTty, put: (text) => write(io.stdout, text), end: async () => {} }
  }
  const parts: string[] = []
  return {
    isTerminal: false,
    put: async (text) => void parts.push(text),
    end: () => writeTextFile(resolve(io.cwd, output), parts.join('')),
  }
}

type Records = Iterable<JsonObject> | AsyncIterable<JsonObject>

export async function showRecords(
  invocation: Invocation,
  io: Io,
  { records, columns, fallback = 'table' }: { records: Records; columns: Columns; fallback?: Form },
): Promise<void> {
  const form = formOf(invocation, fallback)
  const sink = sinkOf(invocation, io)
  if (form === 'table') {
    const rows: JsonObject[] = []
    for await (const record of records) rows.push(pick(record, columns))
    const width = sink.isTerminal ? io.columns : null
    await sink.put(tableText(rows, columns, { width, colour: sink.isTerminal && io.colour }))
  } else {
    const item = form === 'json' ? jsonItem : await yamlItem()
    let count = 0
    for await (const record of records) await sink.put(item(record, count++))
    if (form === 'json') await sink.put(count === 0 ? '[]\n' : '\n]\n')
    else if (count === 0) await sink.put('[]\n')
  }
  await sink.end()
}

export async function showRecord(
  invocation: Invocation,
  io: Io,
  record: unknown,
  fallback: Form = 'yaml',
): Promise<void> {
  const form = formOf(invocation, fallback)
  const sink = sinkOf(invocation, io)
  if (form === 'json') await sink.put(`${jsonText(record)}\n`)
  else if (form === 'yaml') await sink.put((await yamlWriter())(record))
  else {
    const rows = Object.entries(record as JsonObject).map(([field, value]) => ({ field, value }))
    const width = sink.isTerminal ? io.columns : null
    await sink.put(tableText(rows, { field: 'field', value: 'value' }, { width, colour: sink.isTerminal && io.colour }))
  }
  await sink.end()
}

/** A record that a command made or decided: a table of one row for people, the whole record as JSON or YAML. */
export async function showOutcome(invocation: Invocation, io: Io, record: JsonObject, columns: Columns): Promise<void> {
  if (formOf(invocation) === 'table') await showRecords(invocation, io, { records: [record], columns })
  else await showRecord(invocation, io, record)
}

const jsonItem = (record: JsonObject, index: number): string =>
  `${index === 0 ? '[\n' : ',\n'}  ${jsonText(record).replaceAll('\n', '\n  ')}`

async function yamlItem(): Promise<(record: JsonObject) => string> {
  const text = await yamlWriter()
  return (record) => text([record])
}

/** Only the fields that a table shows, so that a long list needs less memory. */
function pick(record: JsonObject, columns: Columns): JsonObject {
  return Object.fromEntries(Object.values(columns).map((path) => [path, valueAt(record, path)]))
}

export function valueAt(record: unknown, path: string): unknown {
  let value = record
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as JsonObject)[step]
  }
  return value
}
