/**
 * What the change under test altered in the policy that judges it: compares files of the ref with those on disk.
 * Without this, a pull request could relax the rule that it breaks without a reviewer noticing.
 */
import type { Invocation, Io } from '../command.js'
import { resolveSettings, type Settings } from '../config/settings.js'
import { diskTree, type FileTree } from '../input/file-tree.js'
import { displayPath, type FoundFiles, findFiles } from '../input/find-files.js'
import { UnreadableError } from '../input/read-bytes.js'
import { isRuleFile } from '../input/rules.js'
import type { PolicyChange } from '../report/reporter.js'
import { baselinePath } from './baseline-file.js'

/** @param own the settings of the working tree: it may name files that the ref does not name. */
export async function policyChanges(settings: Settings, own: Settings | null, io: Io): Promise<PolicyChange[]> {
  const { policy, configFile } = settings
  const { cwd } = io
  if (policy.ref === null) return []
  const changes: PolicyChange[] = []
  const compare = async (kind: PolicyChange['kind'], before: readonly string[], after: readonly string[]) => {
    for (const path of [...new Set([...before, ...after])].sort()) {
      const [old, current] = [await textOf(policy, path), await textOf(diskTree, path)]
      if (old === current) continue
      const change = old === null ? 'added' : current === null ? 'removed' : 'modified'
      changes.push({ kind, file: displayPath(cwd, path), change })
    }
  }
  const sides = own === null ? [settings] : [settings, own]
  await compare('configuration', pathOf(configFile), pathOf(own?.configFile ?? null))
  for (const kind of ['rules', 'exemptions'] as const) {
    const before: string[] = []
    const after: string[] = []
    for (const { [kind]: named } of sides) {
      const options = { cwd: named.base, ...(kind === 'rules' ? { accept: isRuleFile } : {}) }
      before.push(...(await findFiles(policy, named.value, options)).files)
      after.push(...withLinks(await findFiles(diskTree, named.value, options)))
    }
    await compare(kind, before, after)
  }
  const baselines = sides.map(baselinePath).filter((path) => path !== null)
  await compare('baseline', baselines, baselines)
  return changes
}

/** Includes links that lead out of the repository. Such a link is a change too, although no command follows it. */
const withLinks = ({ files, strays }: FoundFiles): string[] => [...files, ...strays.map(({ path }) => path)]

async function textOf(tree: FileTree, path: string): Promise<string | null> {
  if ((await tree.kindOf(path)) !== 'file') return null
  try {
    return await tree.readText(path)
  } catch (error) {
    // A file that cannot be read differs from any file that can be.
    if (error instanceof UnreadableError) return `\0${error.message}`
    throw error
  }
}

const pathOf = (configFile: Settings['configFile']): string[] => (configFile === null ? [] : [configFile.path])

/**
 * The settings of the working tree; null when they cannot be read. A broken configuration in the change is still a
 * change.
 */
export async function settingsOnDisk(invocation: Invocation, io: Io): Promise<Settings | null> {
  const { policyFrom: _, ...options } = invocation.options
  try {
    return await resolveSettings({ ...invocation, options }, io)
  } catch {
    return null
  }
}
