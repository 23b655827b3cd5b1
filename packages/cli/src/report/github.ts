/**
 * Workflow commands of GitHub Actions: an annotation for each finding, at its line.
 * INVARIANT: text from a file is always escaped, because it could otherwise start a workflow command.
 */
import { posix } from 'node:path'
import { printable } from '../program/printable.js'
import { exemptionsNote, findingText, problemText, type Reporter, summaryLine } from './reporter.js'

export function githubReporter(): Reporter {
  let rootPrefix = ''
  const command = (level: string, properties: Readonly<Record<string, string | number | null>>, ...lines: string[]) => {
    const list = Object.entries(properties)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`)
    return `::${level} ${list.join(',')}::${escapeData(lines.map(printable).join('\n'))}\n`
  }
  return {
    begin(run) {
      rootPrefix = run.rootPrefix
      const changes = run.policy?.changes ?? []
      const note = run.policy === null ? null : exemptionsNote(run.policy)
      const ending = note === null ? '' : `; ${note}`
      return changes
        .map(({ kind, file, change }) =>
          command(
            'notice',
            { file: posix.join(rootPrefix, file), title: 'plumbline policy' },
            `${kind} ${change} by this change; the policy of ${run.policy?.ref} is in force${kind === 'exemptions' ? ending : ''}`,
          ),
        )
        .join('')
    },
    file(result) {
      const file = posix.join(rootPrefix, result.file)
      let text = ''
      for (const problem of result.problems) {
        const { line, column } = problem.position ?? { line: 1, column: 1 }
        text += command('error', { file, line, col: column, title: 'not evaluated' }, problemText(problem))
      }
      for (const finding of result.findings) {
        if (finding.suppression) continue
        const { line, column, endColumn, entity, ruleName, severity, description } = finding
        const title = `${ruleName} (${severity})`
        const body = `${entity.target} ${entity.name}: ${findingText(finding)}`
        const place = { file, line, endLine: endColumn === null ? null : line, col: column, endColumn, title }
        text += command(
          severity === 'warning' ? 'warning' : 'error',
          place,
          body,
          ...(description ? [description] : []),
        )
      }
      return text
    },
    end: (summary) => `${printable(summaryLine(summary))}\n`,
  }
}

export function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
