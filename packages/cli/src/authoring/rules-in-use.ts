/** The rules that a command works on: those of `--rules`, or else those that the configuration names. */
import { resolve } from 'node:path'
import type { CompileOptions, RuleSet } from '@plumbline/engine'
import { type Io, UsageError } from '../command.js'
import type { Settings } from '../config/settings.js'
import { type LoadedRules, requireRules } from '../input/rules.js'

/** Absolute names of the rule files, folders and globs; throws `UsageError` when there are none. */
export function ruleNames(settings: Settings): string[] {
  const { value, base } = settings.rules
  if (value.length > 0) return value.map((name) => resolve(base, name))
  throw new UsageError('no rules are named', 'name them with --rules, or under `rules` in plumbline.config.yaml')
}

/** Rules ready to evaluate; throws `InvalidFileError` with every problem. */
export function rulesInUse(settings: Settings, io: Io): Promise<LoadedRules & { readonly ruleSet: RuleSet }> {
  return requireRules(settings.policy, ruleNames(settings), io.cwd, compileOptions(settings))
}

export function compileOptions(settings: Settings): CompileOptions {
  return { limits: settings.limits.value }
}
