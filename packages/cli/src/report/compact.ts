/** One finding per line, in the format that editors and grep understand: `file:line:column: severity rule: message`. */
import { printable } from '../program/printable.js'
import { findingText, problemText, type Reporter, startOfLine, summaryLine } from './reporter.js'

export function compactReporter(): Reporter {
  return {
    begin: () => '',
    file(result) {
      const lines = result.problems.map((problem) => {
        const { line, column } = problem.position ?? { line: 1, column: 1 }
        return `${startOfLine(result.file)}:${line}:${column}: not evaluated: ${problemText(problem)}`
      })
      for (const finding of result.findings) {
        if (finding.suppression !== null) continue
        const { file, line, column, severity, ruleName, entity } = finding
        lines.push(
          `${startOfLine(file)}:${line}:${column}: ${severity} ${ruleName}: ${findingText(finding)} [${entity.name}]`,
        )
      }
      return lines.map((line) => `${printable(line)}\n`).join('')
    },
    end: (summary) => `${summaryLine(summary)}\n`,
  }
}
