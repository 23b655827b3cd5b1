/**
 * What the change under test altered in the policy that judges it: compares files of the ref with those on disk.
 * Without this, a pull request could relax the rule that it breaks without a reviewer noticing.
 */
import { findConfig } from '../config/discover.js'
import type { Settings } from '../config/settings.js'
import { diskTree, type FileTree } from '../input/file-tree.js'
import { displayPath, type FoundFiles, findFiles } from '../input/find-files.js'
import { UnreadableError } from '../input/read-bytes.js'
import { isRuleFile } from '../input/rules.js'
import type { PolicyChange } from '../report/reporter.js'
import { baselinePath } from './baseline-file.js'

export async function policyChanges(settings: Settings, cwd: string, named: string | null): Promise<PolicyChange[]> {
  const { policy, rules, exemptions, configFile } = settings
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
  await compare('configuration', configFile ? [configFile.path] : [], await configOnDisk(cwd, named))
  const ruleOptions = { cwd: rules.base, accept: isRuleFile }
  const [rulesBefore, rulesAfter] = [
    await findFiles(policy, rules.value, ruleOptions),
    await findFiles(diskTree, rules.value, ruleOptions),
  ]
  await compare('rules', rulesBefore.files, withLinks(rulesAfter))
  const exemptionOptions = { cwd: exemptions.base }
  const [exemptionsBefore, exemptionsAfter] = [
    await findFiles(policy, exemptions.value, exemptionOptions),
    await findFiles(diskTree, exemptions.value, exemptionOptions),
  ]
  await compare('exemptions', exemptionsBefore.files, withLinks(exemptionsAfter))
  const baseline = baselinePath(settings)
  if (baseline !== null) await compare('baseline', [baseline], [baseline])
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

/** A broken configuration in the change is still a change. */
async function configOnDisk(cwd: string, named: string | null): Promise<string[]> {
  try {
    const found = await findConfig(diskTree, cwd, named)
    return found ? [found.path] : []
  } catch {
    return []
  }
}
