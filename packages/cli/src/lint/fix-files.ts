/**
 * Makes the fixes of findings in the rule files.
 * INVARIANT: a file is written once, whole, and only with edits that read back as intended.
 */
import { writeFile } from 'node:fs/promises'
import { applyFixes, type Finding } from '@plumbline/engine/lint'
import { UsageError } from '../command.js'
import { diskTree } from '../input/file-tree.js'
import type { LoadedRule } from '../input/rules.js'
import { type Edit, editEach } from './edit-text.js'

export interface PlannedFixes {
  /** New texts by absolute path. */
  readonly texts: ReadonlyMap<string, string>
  /** Files as shown to people, each with its number of fixes. */
  readonly files: ReadonlyMap<string, number>
  /** Findings that `--fix` repairs, in this round or the next. */
  readonly repaired: ReadonlySet<Finding>
}

interface FindingEdit extends Edit {
  readonly finding: Finding
}

/** `findings` are those of `lintRules` on exactly these rules. */
export async function planFixes(rules: readonly LoadedRule[], findings: readonly Finding[]): Promise<PlannedFixes> {
  // `applyFixes` orders edits from the end of each list to its beginning, without overlaps, so that every index stays
  // valid.
  const { applied, postponed } = applyFixes(
    rules.map(({ rule }) => rule),
    findings,
  )
  const texts = new Map<string, string>()
  const files = new Map<string, number>()
  const repaired = new Set<Finding>()
  const later = editsByRule(rules, postponed)
  for (const [path, { file, edits }] of editsByRule(rules, applied)) {
    const isJson = path.endsWith('.json')
    const { text, made } = editEach(await diskTree.readText(path), edits, isJson)
    if (made.length === 0) continue
    texts.set(path, text)
    files.set(file, made.length)
    for (const { finding } of made) repaired.add(finding)
  }
  for (const [path, { edits }] of later) {
    const text = await diskTree.readText(path)
    for (const edit of edits) {
      if (editEach(text, [edit], path.endsWith('.json')).made.length > 0) repaired.add(edit.finding)
    }
  }
  return { texts, files, repaired }
}

/** Throws `UsageError` when a file cannot be written. */
export async function writeFixes({ texts }: PlannedFixes): Promise<void> {
  for (const [path, text] of texts) {
    await writeFile(path, text).catch((error: Error) => {
      throw new UsageError(`cannot write ${path}: ${error.message}`)
    })
  }
}

function editsByRule(rules: readonly LoadedRule[], findings: readonly Finding[]) {
  const byPath = new Map<string, { readonly file: string; readonly edits: FindingEdit[] }>()
  for (const finding of findings) {
    const rule = finding.fix && rules[finding.fix.position]
    if (!finding.fix || !rule) continue
    const { path, file, located, at } = rule
    const { edits } = byPath.get(path) ?? { edits: [] }
    byPath.set(path, { file, edits: [...edits, { ordinal: located.ordinal, at, patch: finding.fix.patch, finding }] })
  }
  return byPath
}
