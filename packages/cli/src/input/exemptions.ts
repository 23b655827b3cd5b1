/**
 * Exemption files: a list, or `exemptions: […]`.
 * The server exports more fields than evaluation reads. They are accepted and ignored.
 */
import type { EntityKey, Exemption, JsonSchema, Target } from '@plumbline/engine'
import { type Diagnostic, refuseProblems } from './diagnostic.js'
import type { FileTree } from './file-tree.js'
import { findFiles, strayProblem } from './find-files.js'
import type { Located, Path } from './located.js'
import type { Position } from './position.js'
import { readDocuments } from './read-documents.js'
import {
  checked,
  checkRecord,
  fileSchema,
  isAnything,
  isInstant,
  isRecord,
  isText,
  nullable,
  oneOf,
  parseInstant,
  type RecordFields,
  recordSchema,
} from './record.js'

export interface LoadedExemption {
  readonly exemption: Exemption
  /** The reason, for suppressions in reports. */
  readonly reason: string | null
  readonly file: string
  readonly position: Position
}

export interface LoadedExemptions {
  readonly exemptions: readonly LoadedExemption[]
  /** Absolute paths. */
  readonly files: readonly string[]
}

const entityKeys = [
  ['project', 'organization'],
  ['name', 'version'],
].map((parts): RecordFields => Object.fromEntries(parts.map((part) => [part, { check: isText, required: true }])))

const isEntityKey = checked({ oneOf: entityKeys.map(recordSchema) }, (value) => {
  const expected =
    'expected { project, organization } of a pipeline, or { name, version } of a plugin (version "*": every one)'
  if (!isRecord(value)) return expected
  const names = Object.keys(value).sort().join(' ')
  const isWhole = entityKeys.some((fields) => Object.keys(fields).sort().join(' ') === names)
  return isWhole && Object.values(value).every((part) => isText(part) === null) ? null : expected
})

const exemptionFields: RecordFields = {
  id: { check: isText, required: true },
  ruleId: { check: isText, required: true, description: 'id or name of the rule that is waived' },
  status: { check: oneOf('pending', 'approved', 'rejected', 'expired', 'revoked') },
  expiresAt: { check: nullable(isInstant), description: 'an instant, or a date: its first moment in UTC' },
  orgId: { check: nullable(isText) },
  entityType: { check: nullable(oneOf('plugin', 'pipeline')) },
  entityId: { check: nullable(isText), description: 'id of the stored record' },
  entityKey: { check: nullable(isEntityKey), description: 'the record where it is not stored' },
  entityName: { check: isAnything },
  isStored: { check: isAnything },
  reason: { check: nullable(isText) },
  owner: { check: isAnything },
  createdBy: { check: isAnything },
  createdAt: { check: isAnything },
  updatedBy: { check: isAnything },
  updatedAt: { check: isAnything },
  reviewedBy: { check: isAnything },
  reviewedAt: { check: isAnything },
  approvedBy: { check: isAnything },
  rejectionReason: { check: isAnything },
}

const exemptionSchema: JsonSchema = {
  ...recordSchema(exemptionFields),
  not: {
    required: ['entityId', 'entityKey'],
    properties: { entityId: isText.schema, entityKey: { type: 'object' } },
  },
}

const isList = checked({ type: 'array', items: exemptionSchema }, () => null)
const fileFields: RecordFields = { $schema: { check: isAnything }, exemptions: { check: isList, required: true } }

/** JSON Schema of an exemption file, for editors. */
export const exemptionsSchema: JsonSchema = fileSchema('Exemptions of the plumbline gate', {
  anyOf: [isList.schema, recordSchema(fileFields)],
})

/** Throws `InvalidFileError` with every problem. `paths` are relative to `cwd`. */
export async function loadExemptions(tree: FileTree, paths: readonly string[], cwd: string): Promise<LoadedExemptions> {
  const found = await findFiles(tree, paths, { cwd })
  const problems: Diagnostic[] = [...found.missing, ...found.unmatched].map((file) => ({
    file,
    message: `no such exemption file${tree.ref === null ? '' : ` at ${tree.ref}`}`,
    fix: 'correct the path',
  }))
  problems.push(...found.strays.map((link) => strayProblem(link, cwd)))
  const exemptions: LoadedExemption[] = []
  const ids = new Set<string>()
  for (const path of found.files) {
    const parsed = await readDocuments(tree, path, cwd)
    problems.push(...parsed.problems)
    for (const located of parsed.documents) {
      for (const [entry, at] of entriesOf(located, problems)) {
        const wrong = checkRecord(located, at, entry, exemptionFields)
        problems.push(...wrong)
        if (wrong.length > 0 || !isRecord(entry)) continue
        const position = located.positionOf(at)
        if (isText(entry.entityId) === null && isRecord(entry.entityKey)) {
          problems.push({
            file: located.file,
            position,
            field: [...at, 'entityKey'].join('.'),
            message: '`entityId` and `entityKey` exclude each other: an exemption is for one record',
            fix: 'keep one of them',
          })
        }
        if (ids.has(String(entry.id))) {
          const field = [...at, 'id'].join('.')
          problems.push({
            file: located.file,
            position,
            field,
            message: 'two exemptions have this id',
            fix: 'rename one',
          })
        }
        ids.add(String(entry.id))
        const reason = typeof entry.reason === 'string' ? entry.reason : null
        exemptions.push({ exemption: toExemption(entry), reason, file: located.file, position })
      }
    }
  }
  refuseProblems('exemption', problems)
  return { exemptions, files: found.files }
}

function entriesOf(located: Located, problems: Diagnostic[]): (readonly [unknown, Path])[] {
  const { value } = located
  const isFileShape = isRecord(value) && Object.hasOwn(value, 'exemptions')
  if (isFileShape) {
    problems.push(...checkRecord(located, [], value, fileFields))
  }
  const list = isFileShape ? value.exemptions : value
  const prefix: Path = isFileShape ? ['exemptions'] : []
  if (Array.isArray(list)) return list.map((entry, index) => [entry, [...prefix, index]] as const)
  problems.push({
    file: located.file,
    position: located.positionOf(prefix, 'value'),
    message: 'expected a list of exemptions',
    fix: 'write `exemptions:` and below it one `- id: …` for each',
  })
  return []
}

function toExemption(entry: Readonly<Record<string, unknown>>): Exemption {
  const text = (key: string) => (typeof entry[key] === 'string' ? { [key]: entry[key] } : {})
  // Evaluation needs a full instant. A date without a time means its first moment.
  const expiresAt = typeof entry.expiresAt === 'string' ? parseInstant(entry.expiresAt) : null
  return {
    id: String(entry.id),
    ruleId: String(entry.ruleId),
    ...text('status'),
    ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
    ...text('orgId'),
    ...text('entityId'),
    ...(isRecord(entry.entityKey) ? { entityKey: entry.entityKey as unknown as EntityKey } : {}),
    ...(entry.entityType ? { entityType: entry.entityType as Target } : {}),
  }
}
