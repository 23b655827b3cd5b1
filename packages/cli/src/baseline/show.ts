/** Runs `plumbline baseline show`. */
import { loadBaseline } from '../check/baseline-file.js'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { resolveSettings } from '../config/settings.js'
import { displayPath } from '../input/find-files.js'
import { printData } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { count } from '../report/reporter.js'

export const run: CommandRun = async (invocation, io) => {
  const baseline = await loadBaseline(await resolveSettings(invocation, io), io.cwd)
  if (!baseline) throw new UsageError('there is no baseline', 'make one with `plumbline baseline create`')
  const { entries, path } = baseline
  const byRule = new Map<string, Set<string>[]>()
  for (const { rule, file, fingerprint } of entries) {
    const [files = new Set<string>(), findings = new Set<string>()] = byRule.get(rule) ?? []
    byRule.set(rule, [files.add(file), findings.add(fingerprint)])
  }
  const rows = [...byRule].map(([rule, [files, findings]]) => ({
    rule,
    files: files?.size ?? 0,
    findings: findings?.size ?? 0,
  }))
  rows.sort((left, right) => right.findings - left.findings || (left.rule < right.rule ? -1 : 1))
  const lines = rows.map(({ rule, files, findings }) => {
    return `${String(findings).padStart(6)}  ${printable(rule)} (${count(files, 'file')})`
  })
  const total = `${displayPath(io.cwd, path)}: ${count(entries.length, 'finding')} accepted`
  const report = { file: displayPath(io.cwd, path), findings: entries }
  await printData(invocation, io, report, () => `${[total, ...lines].join('\n')}\n`)
  return ExitCode.clean
}
