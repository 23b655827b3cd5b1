/**
 * JUnit XML for test views: a suite for each file, a case for each finding and for each entity without one.
 * Findings below `--fail-on` pass and have their text as output, so that the view agrees with the exit code.
 */
import { printable } from '../program/printable.js'
import { type EntitySummary, type FileResult, type Finding, reachesSeverity } from './finding.js'
import { findingText, problemText, type Reporter } from './reporter.js'

export function junitReporter(): Reporter {
  let failOn = 'error'
  return {
    begin(run) {
      failOn = run.failOn
      return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="plumbline">\n'
    },
    file(result) {
      const cases = [
        ...result.problems.map((problem) => {
          const text = xml(problemText(problem))
          return element(result.file, 'evaluation', `<error message="${text}" type="not-evaluated"/>`)
        }),
        ...result.findings.map((finding) => findingCase(finding, failOn)),
        ...cleanEntities(result).map((entity) => element(result.file, `${entity.target} ${entity.name}`, '')),
      ]
      const counts = { failures: 0, errors: result.problems.length, skipped: 0 }
      for (const finding of result.findings) {
        if (finding.suppression) counts.skipped++
        else if (reachesSeverity(finding.severity, failOn)) counts.failures++
      }
      const { failures, errors, skipped } = counts
      return (
        `  <testsuite name="${xml(result.file)}" tests="${cases.length}" failures="${failures}" errors="${errors}" ` +
        `skipped="${skipped}">\n${cases.join('')}  </testsuite>\n`
      )
    },
    end: () => '</testsuites>\n',
  }
}

function findingCase(finding: Finding, failOn: string): string {
  const name = `${finding.entity.target} ${finding.entity.name}: ${finding.ruleName}`
  if (finding.suppression) {
    const { kind, id, reason } = finding.suppression
    const why = [kind, id, reason].filter(Boolean).join(' ')
    return element(finding.file, name, `<skipped message="${xml(why)}"/>`)
  }
  const text = [
    `${finding.file}:${finding.line}:${finding.column}`,
    `${finding.severity} ${finding.ruleName}: ${findingText(finding)}`,
    ...(finding.description ? [finding.description] : []),
  ].join('\n')
  if (!reachesSeverity(finding.severity, failOn)) {
    return element(finding.file, name, `<system-out>${xml(text)}</system-out>`)
  }
  const attributes = `message="${xml(finding.message)}" type="${xml(finding.severity)}"`
  return element(finding.file, name, `<failure ${attributes}>${xml(text)}</failure>`)
}

function cleanEntities(result: FileResult): EntitySummary[] {
  const withFindings = new Set(result.findings.map((finding) => finding.entity.ordinal))
  return result.entities.filter((entity) => !withFindings.has(entity.ordinal))
}

function element(file: string, name: string, body: string): string {
  const start = `    <testcase classname="${xml(file)}" name="${xml(name)}"`
  return body === '' ? `${start}/>\n` : `${start}>${body}</testcase>\n`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/**
 * Escapes text and attribute values. Characters that XML 1.0 forbids even when escaped become U+FFFD. Those that a
 * terminal would obey, or that reorder text, become visible escapes.
 */
export function xml(text: string): string {
  return (
    text
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g, printable)
      .replace(/[&<>"\n\r\t]/g, (character) => entities[character] ?? character)
  )
}
