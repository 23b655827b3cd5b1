/**
 * Turns violations that a server found into findings with a position in the file, so that they are shown as by `check`.
 */
import type { JsonValue, Target, Violation } from '@plumbline/engine'
import { excerptOf } from '../check/excerpt.js'
import { placeOf } from '../check/place.js'
import type { Located, Path } from '../input/located.js'
import type { EntitySummary, FileResult, Finding } from '../report/finding.js'
import type { JsonObject } from './resource.js'

/** The document and the path of an entity in its file. */
interface Placed {
  readonly kind: { readonly target: Target | null }
  readonly name: string
  readonly located: Located
  readonly at: Path
}

export function violationResult(violations: readonly JsonObject[], { kind, name, located, at }: Placed): FileResult {
  const target = kind.target ?? 'pipeline'
  const entity: EntitySummary = { target, id: null, name, ordinal: 0, line: located.positionOf(at).line }
  const nameless = { id: null, recordId: null, key: null, orgId: null }
  const source = { target, located, at, name, ...nameless, ordinal: 0, unknownKeys: [] }
  const findings = violations.map((violation): Finding => {
    const { field, actualValue = null, failures } = violation as Partial<Violation> & { readonly field: string }
    const alternatives = failures === undefined ? {} : { failures }
    const entityOfFile = { ...source, input: {}, attributes: {}, written: {}, unresolved: [] }
    const { path, actual } = placeOf(entityOfFile, { field, actualValue, ...alternatives })
    const excerpt = excerptOf(located, path, actual)
    return {
      ruleId: textOf(violation.ruleId),
      ruleName: textOf(violation.ruleName),
      description: null,
      severity: textOf(violation.severity),
      message: textOf(violation.message),
      file: located.file,
      ...located.positionOf(path),
      endColumn: excerpt.endColumn,
      document: located.ordinal,
      entity,
      field,
      operator: textOf(violation.operator),
      expected: (violation.expectedValue ?? null) as JsonValue,
      actual: actualValue,
      ...alternatives,
      issue: null,
      fingerprint: '',
      entityFingerprint: '',
      suppression: null,
      excerpt: excerpt.text,
    }
  })
  const nothing = { problems: [], warnings: [], unknownKeys: [], covering: [], waiting: [], leftToWrite: [] }
  return { file: located.file, entities: [entity], findings, ...nothing }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
