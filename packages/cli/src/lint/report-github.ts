/** Findings as annotations of GitHub Actions. */

import { printable } from '../program/printable.js'
import { escapeData, escapeProperty } from '../report/github.js'
import type { LocatedReport } from './located-finding.js'
import { summaryLine } from './report-pretty.js'

const levels = { error: 'error', warning: 'warning', info: 'notice' } as const

export function renderGithub(report: LocatedReport): string {
  const lines = report.findings.map(({ severity, code, place, message, reason, advice }) => {
    const properties = { file: place.file, line: place.line, col: place.column, title: `rule ${code}` }
    const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`)
    const body = [message, `because ${reason}`, advice].map(printable).join('\n')
    return `::${levels[severity]} ${list.join(',')}::${escapeData(body)}`
  })
  return `${[...lines, printable(summaryLine(report))].join('\n')}\n`
}
