/** Runs `plumbline baseline prune`. */
import { resolve } from 'node:path'
import { type BaselineEntry, baselineText } from '../check/baseline-file.js'
import { planCheck } from '../check/plan.js'
import { type CommandRun, UsageError } from '../command.js'
import { diskTree } from '../input/file-tree.js'
import { displayPath } from '../input/find-files.js'
import { createLog } from '../program/log.js'
import { writeTextFile } from '../program/outputs.js'
import { write } from '../program/write.js'
import { count } from '../report/reporter.js'
import { todaysFindings } from './evaluate.js'

export const run: CommandRun = async (invocation, io) => {
  const log = createLog(invocation, io)
  const plan = await planCheck(invocation, io, log)
  if (!plan.baseline) throw new UsageError('there is no baseline to prune', 'make one with `plumbline baseline create`')
  const { path, entries } = plan.baseline
  const today = await todaysFindings(plan, invocation, io, log)
  const occurring = new Set(today.entries.map((entry) => entry.fingerprint))
  const kept: BaselineEntry[] = []
  for (const entry of entries) {
    const isGone = today.completeFiles.has(entry.file)
      ? !occurring.has(entry.fingerprint)
      : (await diskTree.kindOf(resolve(plan.settings.root, entry.file))) === null
    if (!isGone) kept.push(entry)
  }
  if (kept.length < entries.length) await writeTextFile(path, baselineText(kept))
  const removed = entries.length - kept.length
  await write(io.stdout, `${displayPath(io.cwd, path)}: ${count(removed, 'finding')} removed, ${kept.length} left\n`)
  return today.exitCode
}
