/** The results of a plan in the plan's order, computed in this thread or in several. */
import { cpus } from 'node:os'
import type { Io } from '../command.js'
import { displayPath } from '../input/find-files.js'
import type { ParsedText } from '../input/parse-text.js'
import { readStdin } from '../input/read-documents.js'
import { telling } from '../remote/session.js'
import type { FileResult } from '../report/finding.js'
import { checkByServer } from './by-server.js'
import { checkParsed } from './check-file.js'
import type { CheckPlan } from './plan.js'
import { readEntityFile } from './read-entity-file.js'
import { canUseWorkers, checkWithWorkers } from './worker-pool.js'

/** From this number of files on, a second thread saves more time than its start costs. */
const manyFiles = 500

/** How many results may be computed before timers and signals run. */
const yieldEvery = 64

export async function* checkResults(plan: CheckPlan, io: Io, stdinName: string): AsyncGenerator<FileResult> {
  const { ruleSet } = plan.rules
  const session = plan.org?.session ?? null
  const asOf = plan.org?.asOf ?? null
  const judge = (file: string, text: ParsedText): FileResult | Promise<FileResult> =>
    session === null
      ? checkParsed(file, text, ruleSet, plan.options)
      : telling(() => checkByServer(file, text, { session, asOf }, plan.options))
  const bytesMax = plan.settings.maxFileBytes.value
  const files = plan.files.map((path) => ({ path, file: path === '-' ? stdinName : displayPath(io.cwd, path) }))
  const onDisk = files.filter(({ path }) => path !== '-')
  if (onDisk.length < files.length) {
    yield await judge(stdinName, await readStdin(io, stdinName, bytesMax))
  }
  const jobs = plan.settings.jobs.value ?? (onDisk.length >= manyFiles ? Math.min(2, cpus().length) : 1)
  if (jobs > 1 && session === null && canUseWorkers()) {
    const rules = plan.rules.rules.map(({ rule }) => rule)
    const setup = { rules, limits: plan.options.limits, options: plan.options, maxFileBytes: bytesMax }
    yield* checkWithWorkers(onDisk, jobs, setup)
    return
  }
  for (const [index, { path, file }] of onDisk.entries()) {
    if (index % yieldEvery === yieldEvery - 1) await new Promise(setImmediate)
    yield await judge(file, readEntityFile(path, file, bytesMax))
  }
}
