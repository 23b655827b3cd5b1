/**
 * The report of a scanner about an image, counted by severity: SARIF 2.1, or `{scanner, findings[]}`. Pure. A report
 * without information about the success of its scan is accepted. A report of a failed scan is refused, because a failed
 * scan does not mean that the image is clean.
 */
import { SEVERITIES } from '../image/built-image.js'

type Severity = (typeof SEVERITIES)[number]
type Counts = Readonly<Record<Severity, number>>

export interface ScanReport {
  readonly scanner: string
  readonly counts: Counts
}

/** Why a report is refused; `path` is the location in the report. */
export class ReportFault extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message)
    this.name = 'ReportFault'
  }
}

const FINDINGS_MAX = 100_000
const NAME_CHARS_MAX = 200

type Json = Readonly<Record<string, unknown>>

/** @throws ReportFault */
export function readReport(value: unknown): ScanReport {
  const report = objectAt('', value)
  if ('runs' in report) return readSarif(report)
  if (!('findings' in report)) {
    throw new ReportFault('', 'is neither SARIF 2.1 (`version`, `runs`) nor `{"scanner": "…", "findings": […]}`')
  }
  const findings = listAt('/findings', report['findings'])
  const severities = findings.map((each, index) => {
    const { severity } = objectAt(`/findings/${index}`, each)
    if (severity !== undefined && typeof severity !== 'string')
      throw new ReportFault(`/findings/${index}/severity`, `must be one of ${SEVERITIES.join(', ')}`)
    return named(severity ?? 'unknown')
  })
  return { scanner: nameAt('/scanner', report['scanner']), counts: counted(severities) }
}

function readSarif(report: Json): ScanReport {
  if (report['version'] !== '2.1.0') throw new ReportFault('/version', 'must be 2.1.0: write the report as SARIF 2.1')
  const runs = listAt('/runs', report['runs'])
  if (runs.length === 0) throw new ReportFault('/runs', 'has no run: the scanner checked nothing')
  const names = new Set<string>()
  const severities: Severity[] = []
  for (const [index, each] of runs.entries()) {
    const at = `/runs/${index}`
    const run = objectAt(at, each)
    const driver = objectAt(`${at}/tool/driver`, objectAt(`${at}/tool`, run['tool'])['driver'])
    names.add(nameAt(`${at}/tool/driver/name`, driver['name']))
    // guard: a-scan-that-failed-is-not-a-clean-one
    for (const [n, invocation] of listOf(run['invocations']).entries()) {
      if ((invocation as Json)['executionSuccessful'] === false)
        throw new ReportFault(
          `${at}/invocations/${n}/executionSuccessful`,
          'is false: the scan failed, so it has no result',
        )
    }
    // A run without `results` did not scan anything (SARIF 3.14.23).
    const results = listAt(`${at}/results`, run['results'])
    const rules = listOf(driver['rules']).map((rule) => (rule ?? {}) as Json)
    if (severities.length + results.length > FINDINGS_MAX) throw tooMany(`${at}/results`)
    for (const [n, result] of results.entries()) {
      const severity = severityOf(objectAt(`${at}/results/${n}`, result), rules)
      if (severity !== null) severities.push(severity)
    }
  }
  return { scanner: [...names].join(', ').slice(0, NAME_CHARS_MAX), counts: counted(severities) }
}

/** Null for a result that is not a finding: a passed check, or a finding that people have reviewed and accepted. */
function severityOf(result: Json, rules: readonly Json[]): Severity | null {
  if (typeof result['kind'] === 'string' && result['kind'] !== 'fail') return null
  const suppressions = listOf(result['suppressions'])
  const isSuppressed = (each: unknown) => [undefined, 'accepted'].includes((each as Json | null)?.['status'] as never)
  if (suppressions.length > 0 && suppressions.every(isSuppressed)) return null
  const rule = rules[Number(result['ruleIndex'] ?? -1)] ?? rules.find(({ id }) => id === result['ruleId'])
  const score = scoreOf(result) ?? scoreOf(rule)
  if (score !== null) return score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low'
  const level = result['level'] ?? (rule?.['defaultConfiguration'] as Json | undefined)?.['level'] ?? 'warning'
  return LEVELS[String(level)] ?? 'unknown'
}

const LEVELS: Readonly<Record<string, Severity>> = { error: 'high', warning: 'medium', note: 'low' }

/** A CVSS score in the form of GitHub and common scanners, often as a text. */
function scoreOf(holder: Json | undefined): number | null {
  const value = (holder?.['properties'] as Json | null | undefined)?.['security-severity']
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : null
}

const OTHER_NAMES: Readonly<Record<string, Severity>> = { moderate: 'medium', important: 'high', negligible: 'low' }

function named(text: string): Severity {
  const name = text.toLowerCase()
  return SEVERITIES.find((severity) => severity === name) ?? OTHER_NAMES[name] ?? 'unknown'
}

function counted(severities: readonly Severity[]): Counts {
  const counts = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>
  for (const severity of severities) counts[severity] += 1
  return counts
}

function objectAt(path: string, value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw new ReportFault(path, 'must be an object')
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function listAt(path: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new ReportFault(path, 'must be a list')
  if (value.length > FINDINGS_MAX) throw tooMany(path)
  return value
}

const tooMany = (path: string) => new ReportFault(path, `contains more than ${FINDINGS_MAX} findings`)

function nameAt(path: string, value: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (typeof value === 'string' && /^[^\x00-\x1f\x7f]{1,200}$/.test(value)) return value
  throw new ReportFault(path, `must be the name of the scanner, of 1 to ${NAME_CHARS_MAX} characters`)
}
