/** Streams findings as a file. */
import Type from 'typebox'
import type { StreamContext } from '../../runtime/operation/context.js'
import type { StreamEvent } from '../../runtime/operation/operation.js'
import { type CheckPages, checkPages } from '../check/pages.js'
import { findingsOf } from './finding.js'
import { FINDING_DOWNLOADS, FINDING_FORMATS, type FindingFormat, findingWriter } from './forms.js'

/** Rows of the check log that one page reads. */
export const PAGE = 200

/** Size of one chunk of text that is passed on, in characters. */
const PIECE = 64 * 1024

export const format = Type.Optional(
  Type.Enum([...FINDING_FORMATS], {
    default: 'jsonl',
    description: 'One finding per line, a spreadsheet, or SARIF 2.1.0',
  }),
)

export const download = {
  forms: Object.values(FINDING_DOWNLOADS),
  choose: ({ query }: { readonly query: { readonly format?: FindingFormat } }) =>
    FINDING_DOWNLOADS[query.format ?? 'jsonl'],
}

export async function* pieces(
  context: StreamContext,
  pages: CheckPages,
  format: FindingFormat = 'jsonl',
  isWhole = true,
): AsyncGenerator<StreamEvent<string>> {
  const writer = findingWriter(format)
  let text = writer.begin()
  for await (const rows of checkPages(context, pages)) {
    for (const row of rows) {
      for (const finding of findingsOf(row)) text += writer.finding(finding)
      if (text.length < PIECE) continue
      yield { event: 'piece', data: text }
      text = ''
    }
  }
  yield { event: 'piece', data: text + writer.end(isWhole) }
}
