/** GitLab's code quality report: a JSON list. What could not be evaluated is included as a blocker. */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { jsonText } from '../program/print-data.js'
import { findingText, problemText, type Reporter } from './reporter.js'

const severities: Readonly<Record<string, string>> = { warning: 'minor', error: 'major', critical: 'critical' }

export function gitlabReporter(): Reporter {
  let rootPrefix = ''
  let isFirst = true
  const entry = (value: object) => {
    const text = `${isFirst ? '' : ','}\n${jsonText(value, 0)}`
    isFirst = false
    return text
  }
  return {
    begin(run) {
      rootPrefix = run.rootPrefix
      return '['
    },
    file(result) {
      const path = posix.join(rootPrefix, result.file)
      const problems = result.problems.map((problem) => {
        const description = problemText(problem)
        return entry({
          description,
          check_name: 'plumbline/not-evaluated',
          fingerprint: createHash('sha256')
            .update(JSON.stringify([path, problem.position, description]))
            .digest('hex')
            .slice(0, 32),
          severity: 'blocker',
          location: { path, lines: { begin: problem.position?.line ?? 1 } },
        })
      })
      const findings = result.findings
        .filter((finding) => finding.suppression === null)
        .map((finding) =>
          entry({
            description: `${finding.entity.target} ${finding.entity.name}: ${finding.ruleName}: ${findingText(finding)}`,
            check_name: finding.ruleId,
            fingerprint: finding.fingerprint,
            severity: severities[finding.severity] ?? 'critical',
            location: { path, lines: { begin: finding.line } },
          }),
        )
      return [...problems, ...findings].join('')
    },
    end: () => `${isFirst ? '' : '\n'}]\n`,
  }
}
