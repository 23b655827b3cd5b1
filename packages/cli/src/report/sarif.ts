/**
 * SARIF 2.1.0 (OASIS) for code scanning: rules, results with partial fingerprints, suppressions for exemptions and the
 * baseline, and a notification for each thing that could not be evaluated.
 */
import { posix } from 'node:path'
import type { Log, Notification, PhysicalLocation, ReportingDescriptor, Result, Suppression } from 'sarif'
import type { Finding } from '../check/finding.js'
import type { Diagnostic } from '../input/diagnostic.js'
import { problemText, type ReportedRule, type Reporter, type RunInfo, valueText } from './reporter.js'
import { fileUri, sarifSchema } from './sarif-log.js'

/** Raise the number when fingerprints change, so that scanners do not compare the old with the new. */
const fingerprintName = 'plumblineFinding/v1'

export function sarifReporter(): Reporter {
  const notifications: Notification[] = []
  let ruleIndexes = new Map<string, number>()
  let run: RunInfo | null = null
  let isFirst = true

  const physicalLocation = (file: string, region: PhysicalLocation['region'] | null): PhysicalLocation => ({
    artifactLocation: { uri: fileUri(posix.join(run?.rootPrefix ?? '', file)), uriBaseId: 'SRCROOT' },
    ...(region ? { region } : {}),
  })

  const toResult = (finding: Finding): Result => {
    const ruleIndex = ruleIndexes.get(finding.ruleId)
    const found = finding.actual === null ? 'nothing' : valueText(finding.actual)
    return {
      ruleId: finding.ruleId,
      ...(ruleIndex === undefined ? {} : { ruleIndex }),
      kind: 'fail',
      level: level(finding.severity),
      message: { text: `${finding.entity.target} ${finding.entity.name}: ${finding.message}, found ${found}` },
      locations: [
        {
          physicalLocation: physicalLocation(finding.file, {
            startLine: finding.line,
            startColumn: finding.column,
            ...(finding.endColumn === null ? {} : { endLine: finding.line, endColumn: finding.endColumn }),
          }),
          logicalLocations: [{ name: finding.entity.name, kind: finding.entity.target }],
        },
      ],
      partialFingerprints: { [fingerprintName]: finding.fingerprint },
      suppressions: finding.suppression ? [toSuppression(finding)] : [],
      ...(run?.hasBaseline === true
        ? { baselineState: finding.suppression?.kind === 'baseline' ? ('unchanged' as const) : ('new' as const) }
        : {}),
      properties: {
        severity: finding.severity,
        field: finding.field,
        operator: finding.operator,
        expected: finding.expected,
        actual: finding.actual,
        issue: finding.issue,
      },
    }
  }

  const toNotification = (problem: Diagnostic): Notification => ({
    level: 'error',
    message: { text: problemText(problem) },
    descriptor: { id: 'not-evaluated' },
    locations: [
      {
        physicalLocation: physicalLocation(
          problem.file,
          problem.position ? { startLine: problem.position.line, startColumn: problem.position.column } : null,
        ),
      },
    ],
  })

  return {
    begin(info) {
      run = info
      ruleIndexes = new Map(info.rules.map((rule, index) => [rule.id, index]))
      const log: Log = {
        $schema: sarifSchema,
        version: '2.1.0',
        runs: [
          {
            tool: {
              driver: {
                name: 'plumbline',
                semanticVersion: info.version,
                rules: info.rules.map(toDescriptor),
                notifications: [
                  { id: 'not-evaluated', shortDescription: { text: 'a file or document could not be evaluated' } },
                ],
              },
            },
            columnKind: 'utf16CodeUnits',
            results: [],
          },
        ],
      }
      const text = JSON.stringify(log)
      return text.slice(0, -']}]}'.length)
    },
    file(result) {
      notifications.push(...result.problems.map(toNotification))
      let text = ''
      for (const finding of result.findings) {
        text += `${isFirst ? '' : ','}\n${JSON.stringify(toResult(finding))}`
        isFirst = false
      }
      return text
    },
    end(summary) {
      const invocation = {
        executionSuccessful: summary.exitCode === 0 || summary.exitCode === 1,
        exitCode: summary.exitCode,
        toolExecutionNotifications: notifications,
      }
      return `\n],"invocations":[${JSON.stringify(invocation)}]}]}\n`
    },
  }
}

function toDescriptor(rule: ReportedRule): ReportingDescriptor {
  return {
    id: rule.id,
    name: rule.name,
    shortDescription: { text: rule.name },
    ...(rule.description ? { fullDescription: { text: rule.description }, help: { text: rule.description } } : {}),
    defaultConfiguration: { level: level(rule.severity) },
    properties: { tags: [...rule.tags], target: rule.target, severity: rule.severity },
  }
}

function toSuppression({ suppression }: Finding): Suppression {
  const { kind, id, reason, expiresAt } = suppression ?? { kind: 'baseline', id: null, reason: null, expiresAt: null }
  const until = expiresAt === null ? '' : `, until ${expiresAt}`
  const justification =
    kind === 'baseline' ? 'accepted in the baseline' : `exemption ${id ?? ''}${reason ? `: ${reason}` : ''}${until}`
  return { kind: 'external', status: 'accepted', justification }
}

function level(severity: string): 'warning' | 'error' {
  return severity === 'warning' ? 'warning' : 'error'
}
