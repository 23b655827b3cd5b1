/**
 * Makes the fixes of findings in the rule files.
 * INVARIANT: a file is written once, whole, and only with edits that read back as intended.
 */
import { writeFile } from 'node:fs/promises'
import { applyFixes, type Finding } from '@plumbline/engine/lint'
import { UsageError } from '../command.js'
import { diskTree } from '../input/file-tree.js'
import type { LoadedRule } from '../input/rules.js'
import { editText } from './edit-text.js'

export interface FixedFiles {
  readonly fixed: number
  /** Files as people name them, with how many fixes each took. */
  readonly files: ReadonlyMap<string, number>
}

/** `findings` are those of `lintRules` on exactly these rules. Throws `UsageError` when a file can not be written. */
export async function fixFiles(rules: readonly LoadedRule[], findings: readonly Finding[]): Promise<FixedFiles> {
  // Its order lets every index stand: from the end of each list to its beginning, and none that touch another.
  const { applied } = applyFixes(
    rules.map(({ rule }) => rule),
    findings,
  )
  const texts = new Map<string, string>()
  const files = new Map<string, number>()
  for (const { fix } of applied) {
    const rule = fix && rules[fix.position]
    if (!rule) continue
    const { path, file, located, at } = rule
    const text = texts.get(path) ?? (await diskTree.readText(path))
    const edited = editText(text, { ordinal: located.ordinal, at, patch: fix.patch }, path.endsWith('.json'))
    if (edited === null) continue
    texts.set(path, edited)
    files.set(file, (files.get(file) ?? 0) + 1)
  }
  for (const [path, text] of texts) {
    await writeFile(path, text).catch((error: Error) => {
      throw new UsageError(`can not write ${path}: ${error.message}`)
    })
  }
  return { fixed: [...files.values()].reduce((sum, count) => sum + count, 0), files }
}
