/** The body of a request from a file, or from standard input: one YAML or JSON document. */
import { type Io, UsageError } from '../command.js'
import { formatDiagnostic } from '../input/diagnostic.js'
import { parseText } from '../input/parse-text.js'
import { readSource } from '../input/read-source.js'
import { isRecord } from '../input/record.js'
import type { JsonObject } from './resource.js'

export async function readBodyFile(name: string, io: Io): Promise<JsonObject> {
  const { file, text } = await readSource(name, io)
  const { documents, problems } = parseText(file, text)
  if (problems.length > 0) throw new UsageError(`\`${file}\` cannot be read`, undefined, problems.map(formatDiagnostic))
  const [document] = documents
  if (documents.length !== 1 || !isRecord(document?.value)) {
    throw new UsageError(`\`${file}\` does not hold one object`, 'write `key: value` pairs')
  }
  return document.value
}
