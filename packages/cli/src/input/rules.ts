/**
 * Rule files: YAML or JSON with `rules: […]`, a list, or one rule. Folders are searched recursively.
 * INVARIANT: every rule has the file and line that it comes from, and no problem of a file hides another.
 */
import {
  type CompileOptions,
  compileRules,
  type Exemption,
  type Rule,
  type RuleIssue,
  type RuleSet,
  ruleSchema,
  validateRule,
} from '@plumbline/engine'
import { type Diagnostic, refuseProblems } from './diagnostic.js'
import type { FileTree } from './file-tree.js'
import { findFiles, strayProblem } from './find-files.js'
import { type Located, type Path, pointerPath } from './located.js'
import type { Position } from './position.js'
import { readDocuments } from './read-documents.js'
import { checkRecord, isAnything, isRecord } from './record.js'

export interface LoadedRule {
  readonly rule: Rule
  /** Absolute path. */
  readonly path: string
  /** The file as shown to people. */
  readonly file: string
  readonly position: Position
  readonly located: Located
  /** The path of the rule in its document. */
  readonly at: Path
}

export interface LoadedRules {
  readonly rules: readonly LoadedRule[]
  /** Absolute paths of every file read. */
  readonly files: readonly string[]
  /** Problems of single rules and files. Cycles and duplicates come from `compileLoaded`. */
  readonly problems: readonly Diagnostic[]
}

/** `paths` are files, folders or globs relative to `cwd`. A path that finds nothing is a problem. */
export async function loadRules(
  tree: FileTree,
  paths: readonly string[],
  cwd: string,
  options: CompileOptions = {},
): Promise<LoadedRules> {
  const found = await findFiles(tree, paths, { cwd, accept: isRuleFile })
  const suffix = tree.ref === null ? '' : ` at ${tree.ref}`
  const problems: Diagnostic[] = [
    ...found.missing.map((file) => ({
      file,
      message: `no such rule file or folder${suffix}`,
      fix: 'correct the path',
    })),
    ...found.unmatched.map((file) => ({
      file,
      message: `no rule file in it${suffix}`,
      fix: 'add one or correct the path',
    })),
    ...found.strays.map((link) => strayProblem(link, cwd)),
  ]
  const rules: LoadedRule[] = []
  for (const path of found.files) {
    const parsed = await readDocuments(tree, path, cwd)
    problems.push(...parsed.problems)
    for (const located of parsed.documents) {
      const read = rulesOf(located)
      problems.push(...read.problems)
      for (const { rule, at } of read.rules) {
        const loaded = { rule, path, file: located.file, located, at, position: located.positionOf(at) }
        rules.push(loaded)
        problems.push(...validateRule(rule, options).map((issue) => issueDiagnostic(loaded, issue)))
      }
    }
  }
  return { rules, files: found.files, problems }
}

/** Tests of rules are in the same folders and are not rules. */
export function isRuleFile(path: string): boolean {
  return /\.(ya?ml|json)$/i.test(path) && !isRuleTestFile(path)
}

export function isRuleTestFile(path: string): boolean {
  return /\.plumbline-test\.(ya?ml|json)$/i.test(path)
}

/** Compiles what `loadRules` read. Problems of the whole set (duplicates, cycles) get a position in their files. */
function compileLoaded(
  loaded: LoadedRules,
  options: CompileOptions = {},
): { readonly ruleSet: RuleSet; readonly problems: readonly Diagnostic[] } {
  const ruleSet = compileRules(
    loaded.rules.map(({ rule }) => rule),
    options,
  )
  const known = new Set(loaded.problems.map(problemKey))
  const duplicates = new Map<string | null, number>()
  const problems = ruleSet.issues
    // `validateRule` has reported a rule that depends on itself already, at the condition that names it.
    .filter(({ code, cycle }) => code !== 'dependency_cycle' || new Set(cycle).size !== 1)
    .map((issue) => {
      if (issue.code !== 'duplicate_id') return issueDiagnostic(ruleOfIssue(loaded, issue), issue)
      const before = (duplicates.get(issue.ruleId) ?? 0) + 1
      duplicates.set(issue.ruleId, before)
      return issueDiagnostic(ruleOfIssue(loaded, issue, before), issue)
    })
    .filter((problem) => !known.has(problemKey(problem)))
  return { ruleSet, problems }
}

/** Rules ready to evaluate; throws `InvalidFileError` with every problem of every file. */
export async function requireRules(
  tree: FileTree,
  paths: readonly string[],
  cwd: string,
  options: CompileOptions = {},
): Promise<LoadedRules & { readonly ruleSet: RuleSet }> {
  const loaded = await loadRules(tree, paths, cwd, options)
  const { ruleSet, problems } = compileLoaded(loaded, options)
  refuseProblems('rule', [...loaded.problems, ...problems])
  return { ...loaded, ruleSet }
}

/** Id of a rule as the engine counts it. */
export function ruleId(rule: Rule): string {
  return rule.id ?? rule.name
}

/** The rule with this id, or else the only one with this name. */
export function findRule<R extends Pick<LoadedRule, 'rule'>>(rules: readonly R[], idOrName: string): R | null {
  const byId = rules.find(({ rule }) => ruleId(rule) === idOrName)
  const byName = rules.filter(({ rule }) => rule.name === idOrName)
  return byId ?? (byName.length === 1 ? (byName[0] ?? null) : null)
}

/** The exemptions with the id of their rule, which a file may also call by its name. The engine compares ids. */
export const bindExemptions = <E extends { readonly exemption: Exemption }>(
  rules: readonly Pick<LoadedRule, 'rule'>[],
  exemptions: readonly E[],
): E[] =>
  exemptions.map((loaded) => {
    const waived = findRule(rules, loaded.exemption.ruleId)
    return waived === null ? loaded : { ...loaded, exemption: { ...loaded.exemption, ruleId: ruleId(waived.rule) } }
  })

const ruleKeys = new Set(Object.keys(ruleSchema.properties as object))

/** Without this check, a file with `rule:` instead of `rules:` would be read as one rule without any of its fields. */
function isMisspelledFile(value: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(value).filter((key) => key !== '$schema')
  return keys.length > 0 && !keys.some((key) => ruleKeys.has(key))
}

const fileFields = { $schema: { check: isAnything }, rules: { check: isAnything } }

function rulesOf(located: Located): { rules: { rule: Rule; at: Path }[]; problems: Diagnostic[] } {
  const { value } = located
  if (isRecord(value) && !Object.hasOwn(value, 'rules') && isMisspelledFile(value)) {
    return { rules: [], problems: checkRecord(located, [], value, fileFields) }
  }
  const isFileShape = isRecord(value) && Object.hasOwn(value, 'rules')
  const list = isFileShape ? value.rules : value
  const prefix: Path = isFileShape ? ['rules'] : []
  const problems = isFileShape ? checkRecord(located, [], value, fileFields) : []
  const entries: (readonly [unknown, Path])[] =
    !isFileShape && isRecord(list)
      ? [[list, []]]
      : Array.isArray(list)
        ? list.map((entry, index) => [entry, [...prefix, index]] as const)
        : []
  if (entries.length === 0 && !Array.isArray(list)) {
    problems.push({
      file: located.file,
      position: located.positionOf(prefix, 'value'),
      field: prefix.join('.'),
      message: 'expected a rule or a list of rules',
      fix: 'write `rules:` and below it one `- name: …` for each rule',
    })
  }
  const rules: { rule: Rule; at: Path }[] = []
  for (const [entry, at] of entries) {
    if (isRecord(entry)) {
      rules.push({ rule: entry as unknown as Rule, at })
      continue
    }
    problems.push({
      file: located.file,
      position: located.positionOf(at, 'value'),
      field: at.join('.'),
      message: 'expected a rule',
      fix: 'write an object with `name`, `target`, `field` and `operator`',
    })
  }
  return { rules, problems }
}

/**
 * Finds the rule that an issue is about. The engine names a rule by its id, and a rule without a name by `#` and its
 * position. If several rules have the same id, `before` says how many of them come before this one.
 */
function ruleOfIssue(loaded: LoadedRules, issue: RuleIssue, before = 0): LoadedRule | null {
  const named = loaded.rules.filter(({ rule }) => ruleId(rule) === issue.ruleId || rule.name === issue.ruleName)
  const rule = named[before] ?? named.at(-1)
  const position = /^#(\d+)$/.exec(issue.ruleId ?? '')?.[1]
  return rule ?? loaded.rules[Number(position)] ?? null
}

function issueDiagnostic(loaded: LoadedRule | null, issue: RuleIssue): Diagnostic {
  const message = issue.ruleName === null ? issue.message : `rule \`${issue.ruleName}\`: ${issue.message}`
  if (!loaded) return { file: '(rules)', message, fix: issue.fix }
  const pointer = pointerPath(issue.pointer)
  return {
    file: loaded.file,
    position: loaded.located.positionOf([...loaded.at, ...pointer]),
    ...(pointer.length > 0 ? { field: pointer.join('.') } : {}),
    message,
    fix: issue.fix,
  }
}

/** Two checks may report the same place in different words. Only the first report is kept. */
function problemKey(problem: Diagnostic): string {
  return JSON.stringify([problem.file, problem.position, problem.field])
}
