/**
 * Everything that a check needs, read and validated before the first entity: settings, rules, exemptions, baseline,
 * files.
 * INVARIANT: after this, nothing of the policy is read any more. A mistake in it has thrown an error (exit 2).
 */
import { relative, sep } from 'node:path'
import { compileRules, type Rule, type RuleSet } from '@plumbline/engine'
import { ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { resolveSettings, type Settings } from '../config/settings.js'
import { type LoadedExemption, loadExemptions } from '../input/exemptions.js'
import { diskTree, type StrayLink } from '../input/file-tree.js'
import { type FoundFiles, findFiles } from '../input/find-files.js'
import { changedSince } from '../input/git.js'
import { formatOf } from '../input/parse-text.js'
import { parseInstant } from '../input/record.js'
import { findRepositoryRoot } from '../input/repository-root.js'
import { bindExemptions, isRuleTestFile, type LoadedRule, requireRules } from '../input/rules.js'
import type { Log } from '../program/log.js'
import type { PolicySource } from '../report/reporter.js'
import { type Baseline, loadBaseline } from './baseline-file.js'
import type { CheckOptions } from './check-file.js'
import { firstPolicy } from './first-policy.js'
import { libraryRules, refuseSameNames } from './library-rules.js'
import { type OrgRules, orgRules } from './org-rules.js'
import { policyChanges, settingsOnDisk } from './policy-changes.js'
import { type IdleExemption, idleByThemselves, idleText } from './unused-exemptions.js'

export interface CheckPlan {
  readonly settings: Settings
  readonly rules: {
    readonly rules: readonly Pick<LoadedRule, 'rule'>[]
    readonly ruleSet: RuleSet
  }
  /** Set if the rules are those of an organization. */
  readonly org: OrgRules | null
  readonly options: CheckOptions
  readonly baseline: Baseline | null
  /** Absolute paths; `-` is standard input. */
  readonly files: readonly string[]
  /** Given names that do not exist: exit 2, after everything else was checked. */
  readonly missing: readonly string[]
  readonly unmatched: readonly string[]
  /** Links that were not followed. */
  readonly strays: readonly StrayLink[]
  readonly policy: PolicySource | null
  /** Exemptions from files. */
  readonly exemptions: readonly LoadedExemption[]
  /** Those of them that waive nothing, whatever the files contain. */
  readonly idleExemptions: readonly IdleExemption[]
}

export interface PlanOptions {
  /** For the command that creates the baseline: a baseline that is named need not exist yet. */
  readonly mayLackBaseline?: boolean
}

export async function planCheck(
  invocation: Invocation,
  io: Io,
  log: Log,
  { mayLackBaseline = false }: PlanOptions = {},
): Promise<CheckPlan> {
  const { options } = invocation
  const given = await resolveSettings(invocation, io)
  const now = instantOf(options.asOf, io.now())
  const org = await orgRules(invocation, io, options.asOf === undefined ? null : now.toISOString())
  const library = await libraryRules(invocation)
  const isWithoutRules = org === null && library.length === 0 && given.rules.value.length === 0
  const settings = isWithoutRules && given.policy.ref !== null ? await firstPolicy(invocation, io, given, log) : given
  if (org === null && library.length === 0 && settings.rules.value.length === 0) {
    throw new UsageError(
      'no rules are named',
      'use --rules or --library, or set `rules` in plumbline.config.yaml (`plumbline init`)',
    )
  }
  const rules =
    org === null ? await ownRules(settings, library) : { ...org, rules: org.rules.map((rule) => ({ rule })), files: [] }
  const loaded =
    org === null
      ? await loadExemptions(settings.policy, settings.exemptions.value, settings.exemptions.base)
      : { exemptions: [], files: [] }
  const exemptions = { ...loaded, exemptions: bindExemptions(rules.rules, loaded.exemptions) }
  const idle = idleByThemselves(
    exemptions.exemptions,
    rules.rules.map(({ rule }) => rule),
    now.getTime(),
  )
  for (const each of idle) log.warn(idleText(each))
  const baseline = await loadBaseline(settings, io.cwd, mayLackBaseline)
  const policyFiles = [...rules.files, ...exemptions.files, settings.configFile?.path, baseline?.path]
  const found = await findEntityFiles(
    invocation,
    io,
    settings,
    new Set(policyFiles.filter((path) => path !== undefined)),
  )
  // Changed rules that are not in force, because those of a ref are, leave no file out.
  const ruleFiles = settings.policy.ref === null ? rules.files : []
  const files = await onlyChanged(found.files, invocation, io, ruleFiles, log)
  const own = settings.policy.ref === null ? null : await settingsOnDisk(invocation, io)
  const { ref, commit } = settings.policy
  return {
    settings,
    rules,
    org,
    baseline,
    files,
    exemptions: exemptions.exemptions,
    idleExemptions: idle,
    missing: found.missing,
    unmatched: found.unmatched,
    strays: found.strays,
    policy: ref === null ? null : { ref, commit: commit ?? '', changes: await policyChanges(settings, own, io) },
    options: {
      target: settings.target.value,
      raw: settings.raw.value,
      limits: org?.limits ?? settings.limits.value,
      emptyList: settings.noMatch.value,
      now: now.toISOString(),
      exemptions: org?.exemptions ?? exemptions.exemptions.map(({ exemption, reason }) => ({ ...exemption, reason })),
      ...(org === null ? {} : { orgId: org.orgId, modes: org.modes }),
      rootPrefix: rootPrefix(settings.root, io.cwd),
    },
  }
}

/** The rules of the files that the command line or the configuration names, and the rules of the libraries. */
async function ownRules({ policy, rules, limits }: Settings, library: readonly Rule[]) {
  const options = { limits: limits.value }
  const own =
    rules.value.length === 0 && library.length > 0
      ? { rules: [], files: [] }
      : await requireRules(policy, rules.value, rules.base, options)
  if ('ruleSet' in own && library.length === 0) return own
  const written = own.rules.map(({ rule }) => rule)
  refuseSameNames(written, library)
  const all = [...written, ...library]
  return { rules: all.map((rule) => ({ rule })), ruleSet: compileRules(all, options), files: own.files }
}

function instantOf(asOf: unknown, now: Date): Date {
  if (typeof asOf !== 'string') return now
  const instant = parseInstant(asOf)
  if (instant) return instant
  throw new UsageError(
    `--as-of: \`${asOf}\` is not an instant`,
    'write 2026-01-31T12:00:00Z, or 2026-01-31 for its first moment',
  )
}

/** `services/web/` when the run starts there; `../` when it starts above the root. */
function rootPrefix(root: string, cwd: string): string {
  const prefix = relative(root, cwd).split(sep).join('/')
  return prefix === '' ? '' : `${prefix}/`
}

async function findEntityFiles(
  invocation: Invocation,
  io: Io,
  settings: Settings,
  policyFiles: ReadonlySet<string>,
): Promise<FoundFiles> {
  const given = (invocation.arguments[0] ?? []) as readonly string[]
  const { files, ignore } = settings
  const names = given.length > 0 ? given : files.value
  if (names.length === 0) {
    throw new UsageError('nothing to check', 'name files, folders or globs, or set `files` in plumbline.config.yaml')
  }
  const cwd = given.length > 0 ? io.cwd : files.base
  // The folder that is checked may also hold rules, configuration and other files of the policy. They are not entities.
  const accept = (path: string) => formatOf(path) !== null && !policyFiles.has(path) && !isRuleTestFile(path)
  const found = await findFiles(
    diskTree,
    names.filter((name) => name !== '-'),
    { cwd, ignore: ignore.value, accept, within: settings.root },
  )
  return { ...found, files: names.includes('-') ? ['-', ...found.files] : found.files }
}

async function onlyChanged(
  files: readonly string[],
  invocation: Invocation,
  io: Io,
  ruleFiles: readonly string[],
  log: Log,
): Promise<readonly string[]> {
  const { since } = invocation.options
  if (typeof since !== 'string') return files
  const root = findRepositoryRoot(io.cwd)
  if (root === null) throw new UsageError('--since: this folder is not in a git repository', 'leave the option out')
  const changed = await changedSince(io.cwd, root, since)
  if (ruleFiles.some((path) => changed.has(path))) {
    log.warn(`rules changed since ${since}: files that did not change are not checked against them`)
  }
  const kept = files.filter((path) => path === '-' || changed.has(path))
  if (kept.length === 0) log.note(`none of the ${files.length} files changed since ${since}`)
  return kept
}

/** Reports names that match no file, and returns the exit codes for them. */
export function reportUnmatched({ unmatched, settings }: CheckPlan, log: Log): number[] {
  const codes: number[] = []
  for (const name of unmatched) {
    const message = `nothing to check in ${name}`
    if (settings.noMatch.value === 'fail') {
      log.error(`${message}; use --no-match ok or warn if that is fine`)
      codes.push(ExitCode.usage)
    } else if (settings.noMatch.value === 'warn') log.warn(message)
  }
  return codes
}
