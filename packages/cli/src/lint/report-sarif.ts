/** Findings as SARIF 2.1.0, for code scanning. */
import { createHash } from 'node:crypto'
import { findingCatalogue } from '@plumbline/engine/lint'
import { fileUri, SARIF_SCHEMA } from '@plumbline/engine/sarif'
import type { Location, Log, Result } from 'sarif'
import { jsonText } from '../program/print-data.js'
import { version } from '../program/version.js'
import type { LocatedFinding, LocatedReport, Place } from './located-finding.js'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

export function renderSarif(report: LocatedReport): string {
  const codes = Object.entries(findingCatalogue)
  const log: Log = {
    $schema: SARIF_SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'plumbline lint',
            semanticVersion: version,
            rules: codes.map(([id, { title, severity }]) => ({
              id,
              shortDescription: { text: title },
              defaultConfiguration: { level: levels[severity] },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: report.findings.map((finding) =>
          toResult(
            finding,
            codes.findIndex(([id]) => id === finding.code),
          ),
        ),
      },
    ],
  }
  return `${jsonText(log)}\n`
}

function toResult(finding: LocatedFinding, ruleIndex: number): Result {
  const { code, severity, message, reason, advice, place, related, status, witness } = finding
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: `${message}, because ${reason}; ${advice}` },
    locations: [location(place)],
    relatedLocations: related.map((other) => ({ ...location(other), message: { text: other.ruleName } })),
    partialFingerprints: { 'plumblineLint/v1': fingerprint(finding) },
    properties: { status, ...(witness === undefined ? {} : { witness }) },
  }
}

/** Identifies a finding even if lines move: by the code, the ids of the rules, and the place inside the rule. */
function fingerprint({ code, rules, pointer }: LocatedFinding): string {
  const identity = JSON.stringify([code, rules.map(({ id }) => id), pointer])
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

function location({ file, line, column }: Place): Location {
  return {
    physicalLocation: {
      artifactLocation: { uri: fileUri(file), uriBaseId: 'SRCROOT' },
      region: { startLine: line, startColumn: column },
    },
  }
}
