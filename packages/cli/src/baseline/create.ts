/** Runs `plumbline baseline create`. */
import { baselinePath, baselineText } from '../check/baseline-file.js'
import { planCheck } from '../check/plan.js'
import { type CommandRun, UsageError } from '../command.js'
import { displayPath } from '../input/find-files.js'
import { createLog } from '../program/log.js'
import { writeTextFile } from '../program/outputs.js'
import { write } from '../program/write.js'
import { count } from '../report/reporter.js'
import { todaysFindings } from './evaluate.js'

export const run: CommandRun = async (invocation, io) => {
  const log = createLog(invocation, io)
  const plan = await planCheck(invocation, io, log, { mayLackBaseline: true })
  const path = baselinePath(plan.settings)
  if (path === null) throw new UsageError('no baseline file is named')
  const today = await todaysFindings(plan, invocation, io, log)
  const before = plan.baseline?.entries ?? []
  const kept = before.filter((entry) => !today.completeFiles.has(entry.file))
  await writeTextFile(path, baselineText([...kept, ...today.entries]))
  const known = new Set(before.map((entry) => entry.fingerprint))
  const added = today.entries.filter((entry) => !known.has(entry.fingerprint)).length
  const total = new Set([...kept, ...today.entries].map((entry) => entry.fingerprint)).size
  await write(io.stdout, `${displayPath(io.cwd, path)}: ${count(total, 'finding')} accepted, ${added} of them new\n`)
  return today.exitCode
}
