/**
 * Findings as files: SARIF 2.1.0 for scanners, CSV for spreadsheets, JSON Lines for programs. Each format is streamed.
 */
import { createSarifWriter, ENTITY_FINGERPRINT, fileUri } from '@plumbline/engine/sarif'
import { type Cell, csvRow } from '../../runtime/csv.js'
import type { Download } from '../../runtime/operation/operation.js'
import { SERVER_VERSION } from '../../runtime/version.js'
import type { Finding } from './finding.js'

export const FINDING_FORMATS = ['jsonl', 'csv', 'sarif'] as const
export type FindingFormat = (typeof FINDING_FORMATS)[number]

interface Writer {
  begin(): string
  finding(finding: Finding): string
  /** @param isWhole whether every record was checked that should have been. */
  end(isWhole: boolean): string
}

/** The columns of CSV, and how each is read from a finding. */
const COLUMNS: Readonly<Record<string, (finding: Finding) => Cell>> = {
  checkedAt: ({ checkedAt }) => checkedAt,
  target: ({ target }) => target,
  entityName: ({ entityName }) => entityName,
  entityId: ({ entityId }) => entityId,
  severity: ({ severity }) => severity,
  declaredSeverity: ({ declaredSeverity }) => declaredSeverity,
  ruleName: ({ ruleName }) => ruleName,
  ruleId: ({ ruleId }) => ruleId,
  field: ({ field }) => field,
  operator: ({ operator }) => operator,
  expected: ({ expected }) => JSON.stringify(expected),
  actual: ({ actual }) => JSON.stringify(actual),
  message: ({ message }) => message,
  failures: ({ failures }) => (failures === undefined ? null : JSON.stringify(failures)),
  issue: ({ issue }) => issue,
  state: ({ state = null }) => state,
  suppression: ({ suppression }) => suppression?.kind ?? null,
  exemptionId: ({ suppression }) => suppression?.id ?? null,
  exemptionReason: ({ suppression }) => suppression?.reason ?? null,
  exemptionExpiresAt: ({ suppression }) => suppression?.expiresAt ?? null,
  source: ({ source }) => source,
  policyIds: ({ policyIds }) => policyIds.join(' '),
  action: ({ action }) => action,
  scanId: ({ scanId }) => scanId,
  checkId: ({ checkId }) => checkId,
  fingerprint: ({ fingerprint }) => fingerprint,
}

const csv = (): Writer => ({
  begin: () => csvRow(Object.keys(COLUMNS)),
  finding: (finding) => csvRow(Object.values(COLUMNS).map((read) => read(finding))),
  end: () => '',
})

const jsonl = (): Writer => ({
  begin: () => '',
  finding: (finding) => `${JSON.stringify(finding)}\n`,
  end: () => '',
})

const BASE = 'PLUMBLINE'

function sarif(): Writer {
  const writer = createSarifWriter({
    version: SERVER_VERSION,
    bases: { [BASE]: 'Records of the inventory, by their path below the API' },
  })
  return {
    begin: () => writer.begin(),
    finding(finding) {
      const { target, entityId, entityName, ruleId, ruleName, description, fingerprint } = finding
      const { checkId, checkedAt, action, scanId, declaredSeverity, source, policyIds } = finding
      const name = entityName ?? entityId ?? 'without a name'
      return writer.result({
        ...finding,
        rule: {
          id: ruleId,
          name: ruleName,
          description,
          severity: declaredSeverity ?? finding.severity,
          target,
          tags: [],
        },
        entity: { target, name, ...(entityId === null ? {} : { id: entityId }) },
        place: { uri: fileUri(`${target}s/${entityId ?? name}`), uriBaseId: BASE },
        fingerprints: { [ENTITY_FINGERPRINT]: fingerprint },
        properties: { checkId, checkedAt, action, scanId, declaredSeverity, source, policyIds: [...policyIds] },
      })
    },
    end: (isWhole) => writer.end({ isWhole, problems: [] }),
  }
}

export const findingWriter = (format: FindingFormat): Writer => ({ csv, jsonl, sarif })[format]()

const EXAMPLE: Finding = {
  checkId: '0190a1b2-0000-7000-8000-00000000000b',
  checkedAt: '2026-11-21T10:00:00.000Z',
  action: 'scan',
  scanId: '0190a1b2-0000-7000-8000-00000000000c',
  target: 'plugin',
  entityId: '0190a1b2-0000-7000-8000-00000000000a',
  entityName: 'node-build',
  ruleId: '0190a1b2-0000-7000-8000-00000000000d',
  ruleName: 'no latest',
  description: null,
  severity: 'error',
  declaredSeverity: null,
  field: 'version',
  operator: 'neq',
  expected: 'latest',
  actual: 'latest',
  message: '`version` must not equal "latest"',
  issue: null,
  source: 'own',
  policyIds: [],
  suppression: null,
  fingerprint: 'c6a1f1c55cd4c1b9a6d2a2b2d7f3f0aa',
}

const example = (format: FindingFormat): string => {
  const writer = findingWriter(format)
  return writer.begin() + writer.finding(EXAMPLE) + writer.end(true)
}

export const FINDING_DOWNLOADS: Readonly<Record<FindingFormat, Download>> = {
  jsonl: { media: 'application/jsonl; charset=utf-8', fileName: 'findings.jsonl', example: example('jsonl') },
  csv: { media: 'text/csv; charset=utf-8; header=present', fileName: 'findings.csv', example: example('csv') },
  sarif: { media: 'application/sarif+json', fileName: 'findings.sarif', example: example('sarif') },
}
