/**
 * Writes SARIF 2.1.0 for code scanning.
 *
 * A log has results with partial fingerprints, suppressions for what is exempted or in the baseline, the rules, and a
 * notification for each thing that could not be evaluated. The rules are written after the results, so that rules that
 * are first seen in a result are in the log too. INVARIANT: memory grows with the rules and the problems, not with the
 * findings.
 */
import type { Failure, JsonValue, Target } from '../types.js'
import { SARIF_SCHEMA } from './log.js'

export interface SarifRule {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly severity: string
  readonly target: Target
  readonly tags: readonly string[]
}

export interface SarifRegion {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine?: number
  readonly endColumn?: number
}

export interface SarifPlace {
  /** A relative reference, escaped by `fileUri`. */
  readonly uri: string
  /** The name of the base directory that `uri` is relative to. */
  readonly uriBaseId: string
  readonly region?: SarifRegion | null
}

export interface SarifSuppression {
  readonly kind: 'exemption' | 'baseline'
  readonly id: string | null
  readonly reason: string | null
  readonly expiresAt: string | null
}

export interface SarifFinding {
  readonly rule: SarifRule
  /** The severity of this finding. The rollout of its rule may have lowered it. */
  readonly severity: string
  readonly message: string
  readonly entity: { readonly target: Target; readonly name: string; readonly id?: string }
  readonly place: SarifPlace
  readonly field: string
  readonly operator: string | null
  readonly expected: JsonValue
  readonly actual: JsonValue
  /** The entries of a rule with alternatives, all of which failed. `message` contains the values that were found. */
  readonly failures?: readonly Failure[]
  /** The issue code of the rule, when it could not be evaluated; otherwise null. */
  readonly issue: string | null
  readonly fingerprints: Readonly<Record<string, string>>
  readonly suppression: SarifSuppression | null
  /** Set when findings are compared with a baseline. */
  readonly baselineState?: 'new' | 'unchanged'
  readonly properties?: Readonly<Record<string, JsonValue>>
}

export interface SarifProblem {
  readonly message: string
  readonly place: SarifPlace
}

export interface SarifEnd {
  readonly isWhole: boolean
  readonly exitCode?: number
  readonly problems: readonly SarifProblem[]
}

export interface SarifWriterOptions {
  readonly version: string
  /** Rules that are known before the first finding. Rules that findings add are written as well. */
  readonly rules?: readonly SarifRule[]
  /** A description of each base directory, by its name. */
  readonly bases?: Readonly<Record<string, string>>
}

export interface SarifWriter {
  begin(): string
  result(finding: SarifFinding): string
  end(end: SarifEnd): string
}

export function createSarifWriter({ version, rules = [], bases = {} }: SarifWriterOptions): SarifWriter {
  const indexes = new Map(rules.map((rule, index) => [rule.id, index]))
  const descriptors = rules.map(descriptorOf)
  let isFirst = true

  const ruleIndex = (rule: SarifRule): number => {
    const known = indexes.get(rule.id)
    if (known !== undefined) return known
    indexes.set(rule.id, descriptors.length)
    return descriptors.push(descriptorOf(rule)) - 1
  }

  return {
    begin() {
      const log = { $schema: SARIF_SCHEMA, version: '2.1.0', runs: [{ columnKind: 'utf16CodeUnits', results: [] }] }
      return JSON.stringify(log).slice(0, -']}]}'.length)
    },
    result(finding) {
      const text = `${isFirst ? '' : ','}\n${JSON.stringify(resultOf(finding, ruleIndex(finding.rule)))}`
      isFirst = false
      return text
    },
    end({ isWhole, exitCode, problems }) {
      const tail = {
        tool: {
          driver: {
            name: 'plumbline',
            semanticVersion: version,
            rules: descriptors,
            notifications: [
              { id: NOT_EVALUATED, shortDescription: { text: 'a file or document could not be evaluated' } },
            ],
          },
        },
        ...(Object.keys(bases).length === 0 ? {} : { originalUriBaseIds: describedBases(bases) }),
        invocations: [
          {
            executionSuccessful: isWhole,
            ...(exitCode === undefined ? {} : { exitCode }),
            toolExecutionNotifications: problems.map(notificationOf),
          },
        ],
      }
      return `\n],${JSON.stringify(tail).slice(1)}]}\n`
    },
  }
}

const NOT_EVALUATED = 'not-evaluated'

const levelOf = (severity: string): 'warning' | 'error' => (severity === 'warning' ? 'warning' : 'error')

const physicalLocation = ({ uri, uriBaseId, region }: SarifPlace) => ({
  artifactLocation: { uri, uriBaseId },
  ...(region ? { region } : {}),
})

function resultOf(finding: SarifFinding, ruleIndex: number) {
  const { rule, severity, message, entity, place, field, operator, expected, actual, issue, failures } = finding
  const found = failures === undefined ? `, found ${actual === null ? 'nothing' : valueText(actual)}` : ''
  return {
    ruleId: rule.id,
    ruleIndex,
    kind: 'fail',
    level: levelOf(severity),
    message: { text: `${entity.target} ${entity.name}: ${message}${found}` },
    locations: [
      {
        physicalLocation: physicalLocation(place),
        logicalLocations: [
          {
            name: entity.name,
            kind: entity.target,
            ...(entity.id === undefined ? {} : { fullyQualifiedName: entity.id }),
          },
        ],
      },
    ],
    partialFingerprints: finding.fingerprints,
    suppressions: finding.suppression === null ? [] : [suppressionOf(finding.suppression)],
    ...(finding.baselineState === undefined ? {} : { baselineState: finding.baselineState }),
    properties: {
      severity,
      field,
      operator,
      expected,
      actual,
      issue,
      ...(failures === undefined ? {} : { failures: [...failures] }),
      ...finding.properties,
    },
  }
}

function suppressionOf({ kind, id, reason, expiresAt }: SarifSuppression) {
  const until = expiresAt === null ? '' : `, until ${expiresAt}`
  const justification =
    kind === 'baseline' ? 'accepted in the baseline' : `exemption ${id ?? ''}${reason ? `: ${reason}` : ''}${until}`
  return { kind: 'external', status: 'accepted', justification }
}

const descriptorOf = ({ id, name, description, severity, target, tags }: SarifRule) => ({
  id,
  name,
  shortDescription: { text: name },
  ...(description ? { fullDescription: { text: description }, help: { text: description } } : {}),
  defaultConfiguration: { level: levelOf(severity) },
  properties: { tags, target, severity },
})

const notificationOf = ({ message, place }: SarifProblem) => ({
  level: 'error',
  message: { text: message },
  descriptor: { id: NOT_EVALUATED },
  locations: [{ physicalLocation: physicalLocation(place) }],
})

const describedBases = (bases: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(bases).map(([name, text]) => [name, { description: { text } }]))

const VALUE_MAX = 100

/** A value as JSON on one line, shortened for people. */
function valueText(value: JsonValue): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX - 1)}…` : text
}
