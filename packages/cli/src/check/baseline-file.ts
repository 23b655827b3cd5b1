/**
 * The baseline: findings that a team has accepted for now, as a file that is easy to review.
 * INVARIANT: the file is sorted, without dates and values, so that it changes only when the accepted findings change.
 */
import { join, resolve } from 'node:path'
import type { JsonSchema } from '@plumbline/engine'
import type { Settings } from '../config/settings.js'
import { type Diagnostic, refuseProblems } from '../input/diagnostic.js'
import type { FileTree } from '../input/file-tree.js'
import { displayPath } from '../input/find-files.js'
import { readDocuments } from '../input/read-documents.js'
import {
  checked,
  checkRecord,
  fileSchema,
  isAnything,
  isRecord,
  isText,
  isWhole,
  type RecordFields,
  recordSchema,
} from '../input/record.js'
import type { Finding } from '../report/finding.js'

const defaultBaselineName = 'plumbline.baseline.json'

export interface BaselineEntry {
  readonly fingerprint: string
  readonly rule: string
  /** Relative to the root of fingerprints. */
  readonly file: string
  readonly entity: string
  readonly field: string
}

export interface Baseline {
  /** Absolute path. */
  readonly path: string
  readonly entries: readonly BaselineEntry[]
}

const isString = checked({ type: 'string' }, (value) => (typeof value === 'string' ? null : 'expected text'))

const entryFields: RecordFields = {
  fingerprint: {
    check: isText,
    required: true,
    description: 'the fingerprint by which `check` recognises the finding',
  },
  rule: { check: isText, required: true },
  file: { check: isText, required: true, description: 'relative to the root of the repository' },
  entity: { check: isString, required: true },
  field: { check: isText, required: true },
}

/** Checks each entry separately, so that a problem has the position of its entry. */
const isEntries = checked({ type: 'array', items: recordSchema(entryFields) }, (value) =>
  Array.isArray(value) ? null : 'expected a list',
)

const fileFields: RecordFields = {
  $schema: { check: isAnything },
  version: { check: isWhole(1, 1), required: true },
  findings: { check: isEntries, required: true, description: 'findings that are accepted for now' },
}

/** JSON Schema of a baseline, for editors. */
export const baselineSchema: JsonSchema = fileSchema('Baseline of the plumbline gate', recordSchema(fileFields))

/** Where the baseline of these settings is, or would be written. Null with `--no-baseline`. */
export function baselinePath({ baseline, configFile, root }: Settings): string | null {
  if (baseline.value !== null) return resolve(baseline.base, baseline.value)
  if (baseline.origin.kind === 'option') return null
  return join(configFile ? baseline.base : root, defaultBaselineName)
}

/**
 * Null without a baseline. A baseline that an option or the configuration names must exist, unless `mayLack`.
 * @throws InvalidFileError
 */
export async function loadBaseline(settings: Settings, cwd: string, mayLack = false): Promise<Baseline | null> {
  const path = baselinePath(settings)
  if (path === null) return null
  const { policy, baseline } = settings
  if ((await policy.kindOf(path)) !== 'file') {
    if (baseline.value === null || mayLack) return null
    const where = policy.ref === null ? '' : ` at ${policy.ref}`
    const message = `no such baseline file${where}`
    refuseProblems('baseline', [
      { file: displayPath(cwd, path), message, fix: 'make it with `plumbline baseline create`' },
    ])
  }
  return readBaseline(policy, path, cwd)
}

async function readBaseline(tree: FileTree, path: string, cwd: string): Promise<Baseline> {
  const { documents, problems } = await readDocuments(tree, path, cwd)
  const [located] = documents
  const all: Diagnostic[] = [...problems]
  const entries: BaselineEntry[] = []
  if (located) {
    const { value } = located
    all.push(...checkRecord(located, [], value, fileFields))
    const list = isRecord(value) && Array.isArray(value.findings) ? value.findings : []
    for (const [index, entry] of list.entries()) {
      all.push(...checkRecord(located, ['findings', index], entry, entryFields))
      entries.push(entry as BaselineEntry)
    }
  }
  refuseProblems('baseline', all)
  return { path, entries }
}

export function toEntry(finding: Finding, rootFile: string): BaselineEntry {
  return {
    fingerprint: finding.fingerprint,
    rule: finding.ruleId,
    file: rootFile,
    entity: finding.entity.name,
    field: finding.field,
  }
}

/** One entry per line, in an order that does not depend on the order of the findings. */
export function baselineText(entries: Iterable<BaselineEntry>): string {
  const unique = [...new Map([...entries].map((entry) => [entry.fingerprint, entry])).values()]
  const key = ({ file, rule, entity, field, fingerprint }: BaselineEntry) =>
    JSON.stringify([file, rule, entity, field, fingerprint])
  const keyed = unique.map((entry) => [key(entry), entry] as const)
  keyed.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  const lines = keyed.map(([, { fingerprint, rule, file, entity, field }]) => {
    return `    ${JSON.stringify({ fingerprint, rule, file, entity, field })}`
  })
  return `{\n  "version": 1,\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`
}
