/**
 * Our two machine formats: `json` is one document, `ndjson` one object per line (`type` says which).
 * INVARIANT: the same input gives the same bytes. Reports contain no duration and no absolute path.
 */
import type { Diagnostic } from '../input/diagnostic.js'
import { jsonText } from '../program/print-data.js'
import type { FileResult, Finding } from './finding.js'
import type { Reporter, RunInfo, RunSummary } from './reporter.js'

/** Increased when a field changes its meaning or is removed. */
const jsonSchemaVersion = 1

export function jsonReporter(): Reporter {
  const problems: unknown[] = []
  let isFirst = true
  return {
    begin(run) {
      const head = jsonText(runObject(run)).slice(0, -2)
      return `${head},\n  "findings": [`
    },
    file(result) {
      problems.push(...result.problems.map((problem) => problemObject(problem)))
      let text = ''
      for (const finding of result.findings) {
        text += `${isFirst ? '' : ','}\n    ${jsonText(findingObject(finding), 0)}`
        isFirst = false
      }
      return text
    },
    end(summary) {
      const tail = jsonText({ problems, summary: summaryObject(summary) }).slice(2)
      return `${isFirst ? '' : '\n  '}],\n${tail}\n`
    },
  }
}

export function ndjsonReporter(): Reporter {
  const line = (type: string, value: object) => `${jsonText({ type, ...value }, 0)}\n`
  return {
    begin: (run) => line('run', runObject(run)),
    file: (result: FileResult) =>
      result.problems.map((problem) => line('problem', problemObject(problem))).join('') +
      result.findings.map((finding) => line('finding', findingObject(finding))).join(''),
    end: (summary) => line('summary', summaryObject(summary)),
  }
}

function runObject(run: RunInfo) {
  const { version, asOf, failOn, policy } = run
  return { plumbline: version, schema: jsonSchemaVersion, asOf, failOn, policy }
}

function findingObject({ excerpt: _, ...finding }: Finding) {
  return finding
}

function problemObject({ file, position, field, message, fix }: Diagnostic) {
  return {
    file,
    line: position?.line ?? null,
    column: position?.column ?? null,
    field: field ?? null,
    message,
    fix: fix ?? null,
  }
}

function summaryObject({ durationMs: _, ...summary }: RunSummary) {
  return summary
}
