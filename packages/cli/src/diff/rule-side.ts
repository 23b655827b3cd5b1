/**
 * One side of a comparison: rules from a path on disk, from a git ref, or from the working tree.
 * INVARIANT: a name that exists on disk is a path, unless it is written `git:name`.
 */
import { resolve } from 'node:path'
import type { Rule } from '@plumbline/engine'
import { ruleNames } from '../authoring/rules-in-use.js'
import { type Invocation, type Io, UsageError } from '../command.js'
import { resolveSettings } from '../config/settings.js'
import { diskTree, type FileTree } from '../input/file-tree.js'
import { findFiles } from '../input/find-files.js'
import { resolveCommit } from '../input/git.js'
import { isRuleFile, requireRules } from '../input/rules.js'
import type { Log } from '../program/log.js'

export interface RuleSide {
  /** The name as shown to people. */
  readonly label: string
  readonly rules: readonly Rule[]
}

/** `name` is null for the rules of the working tree. Throws `UsageError` and `InvalidFileError`. */
export async function readSide(name: string | null, invocation: Invocation, io: Io, log: Log): Promise<RuleSide> {
  const isRef = name?.startsWith('git:') === true
  if (name !== null && !isRef && (await diskTree.kindOf(resolve(io.cwd, name))) !== null) {
    return { label: name, rules: await rulesOf(diskTree, [resolve(io.cwd, name)], io) }
  }
  if (name === null) {
    const settings = await resolveSettings(invocation, io)
    return { label: 'the working tree', rules: await rulesOf(diskTree, ruleNames(settings), io) }
  }
  const ref = isRef ? name.slice('git:'.length) : name
  await requireCommit(ref, isRef, io.cwd)
  // The configuration of the ref says where its rules are.
  const settings = await resolveSettings({ ...invocation, options: { ...invocation.options, policyFrom: ref } }, io)
  const named = settings.rules.value.length > 0 ? settings : await resolveSettings(invocation, io)
  const names = ruleNames(named)
  const found = await findFiles(settings.policy, names, { cwd: io.cwd, accept: isRuleFile })
  if (found.files.length > 0) return { label: ref, rules: await rulesOf(settings.policy, names, io) }
  log.note(`there are no rules yet at ${ref}`)
  return { label: ref, rules: [] }
}

/** A mistyped path looks like a ref, so the error mentions both. */
async function requireCommit(ref: string, isRef: boolean, cwd: string): Promise<void> {
  try {
    await resolveCommit(cwd, ref)
  } catch (error) {
    if (isRef || !(error instanceof UsageError)) throw error
    throw new UsageError(
      `\`${ref}\` is not a rule file or folder here, and no git ref either: ${error.message}`,
      'name two rule files, folders or git refs',
    )
  }
}

async function rulesOf(tree: FileTree, names: readonly string[], io: Io): Promise<readonly Rule[]> {
  const { rules } = await requireRules(tree, names, io.cwd)
  return rules.map(({ rule }) => rule)
}
