/** Runs `plumbline compile`. */
import { compileRules } from '@plumbline/engine'
import { StandaloneError, toModule } from '@plumbline/engine/standalone'
import { compileOptions, ruleNames } from '../authoring/rules-in-use.js'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { resolveSettings } from '../config/settings.js'
import { diskTree } from '../input/file-tree.js'
import { requireRules } from '../input/rules.js'
import { writeAndSay } from '../program/outputs.js'
import { count } from '../report/reporter.js'

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const named = invocation.arguments[0] as readonly string[]
  const settings = await resolveSettings(invocation, io)
  const names = named.length > 0 ? named : ruleNames(settings)
  const { rules } = await requireRules(diskTree, names, io.cwd)
  const wanted = rules.map(({ rule }) => rule).filter(({ target }) => (options.target ?? target) === target)
  const ruleSet = compileRules(wanted, { ...compileOptions(settings), redact: options.redact !== false })

  const source = moduleSource(() => toModule(ruleSet, { regex: options.regex as 'import' | 'inline' | 'reject' }))
  const size = `${count(ruleSet.rules.length, 'rule')}, ${Buffer.byteLength(source)} bytes`
  await writeAndSay(invocation, io, source, size)
  return ExitCode.clean
}

function moduleSource(make: () => string): string {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof StandaloneError)) throw error
    throw new UsageError(error.message, 'use --regex inline or --regex import', error.rules)
  }
}
