/** The rule set as one self-contained module, loaded as an edge runtime would load it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Evaluation, RuleSet } from '@plumbline/engine'
import { toModule } from '@plumbline/engine/standalone'
import type { Entity } from './entities.js'

export type StandaloneCheck = (entity: Entity) => Evaluation

export async function standaloneCheck(ruleSet: RuleSet): Promise<StandaloneCheck> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  try {
    const file = join(folder, 'rules.mjs')
    writeFileSync(file, toModule(ruleSet, { regex: 'reject' }))
    const module = (await import(pathToFileURL(file).href)) as { evaluate: StandaloneCheck }
    return module.evaluate
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
