/** The positions of violations of an upload in the specification of the uploaded folder. */
import { resolve } from 'node:path'
import type { Invocation, Io } from '../../command.js'
import { diskTree } from '../../input/file-tree.js'
import { readDocuments } from '../../input/read-documents.js'
import { isRecord } from '../../input/record.js'
import { type ViolationText, violationLine } from '../../remote/refusal.js'
import { violationResult } from '../violations.js'
import { SPEC_NAMES } from './folder.js'

/** An archive gets no positions, because another program made its contents. */
export async function violationPlaces(invocation: Invocation, io: Io): Promise<ViolationText> {
  const folder = resolve(io.cwd, String(invocation.arguments[0]))
  for (const name of SPEC_NAMES) {
    const path = resolve(folder, name)
    if ((await diskTree.kindOf(path)) !== 'file') continue
    const [located] = (await readDocuments(diskTree, path, io.cwd)).documents
    if (located === undefined) continue
    return (violation) => {
      const line = violationLine(violation)
      if (!isRecord(violation) || typeof violation.field !== 'string') return line
      const [finding] = violationResult([violation], {
        kind: { target: 'plugin' },
        name: 'plugin',
        located,
        at: [],
      }).findings
      return finding === undefined ? line : `${finding.file}:${finding.line}:${finding.column}: ${line}`
    }
  }
  return violationLine
}
