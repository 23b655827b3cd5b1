/**
 * Binds the tests of a file to rules and entities.
 * INVARIANT: every test that cannot be bound becomes a diagnostic with its position. Nothing is evaluated here.
 */
import { dirname, resolve } from 'node:path'
import { checkAttributes, effectiveAttributes, projectEntity, type Target } from '@plumbline/engine'
import { nearestWord } from '@plumbline/engine/words'
import type { Diagnostic } from '../input/diagnostic.js'
import { entitiesOf } from '../input/entities.js'
import { diskTree } from '../input/file-tree.js'
import { type Located, pointerPath } from '../input/located.js'
import { readDocuments } from '../input/read-documents.js'
import { findRule, type LoadedRule, ruleId } from '../input/rules.js'
import { guessTarget } from '../input/target.js'
import type { Case } from './judge.js'
import type { Expectation, RuleTest } from './model.js'
import { assertedBy, type BoundTest } from './suite.js'

export interface Binding {
  readonly tests: readonly BoundTest[]
  readonly problems: readonly Diagnostic[]
}

/** @param path absolute path of the test file. @param cwd folder that diagnostics are relative to. */
export async function bindTests(
  tests: readonly RuleTest[],
  source: { readonly path: string; readonly located: Located; readonly cwd: string; readonly raw: boolean },
  rules: readonly LoadedRule[],
): Promise<Binding> {
  const bound: BoundTest[] = []
  const problems: Diagnostic[] = []
  const { located } = source

  for (const test of tests) {
    const refuse = (pointer: string, message: string, fix: string) => {
      const path = pointerPath(pointer)
      problems.push({
        file: located.file,
        position: located.positionOf(path),
        message: `${test.name}: ${message}`,
        fix,
      })
    }
    const rule = test.expectation.kind === 'rule' ? findRule(rules, test.expectation.rule) : null
    const unknown = unknownRules(test.expectation, rules)
    for (const name of unknown) {
      const near = nearestWord(
        name,
        rules.map((candidate) => candidate.rule.name),
      )
      refuse(
        test.pointer,
        `no rule is called \`${name}\``,
        near === null ? 'correct the name' : `did you mean \`${near}\`?`,
      )
    }
    if (unknown.length > 0) continue
    const subject = await bindSubject({ ...test, raw: test.raw || source.raw }, source, rule, refuse)
    if (subject === null) continue
    const exemptions = test.exemptions.map((exemption) => {
      const waived = findRule(rules, exemption.ruleId)
      if (waived === null) refuse(test.pointer, `no rule is called \`${exemption.ruleId}\``, 'correct the exemption')
      return waived === null ? exemption : { ...exemption, ruleId: ruleId(waived.rule) }
    })
    const id = rule === null ? null : ruleId(rule.rule)
    bound.push({
      name: test.name,
      file: located.file,
      position: located.positionOf(pointerPath(test.pointer)),
      subject: { ...subject, exemptions, now: test.now },
      expectation: test.expectation,
      ruleId: id,
      asserts: assertedBy(test.expectation, rules, id),
    })
  }
  return { tests: bound, problems }
}

function unknownRules(expectation: Expectation, rules: readonly LoadedRule[]): string[] {
  const named =
    expectation.kind === 'rule'
      ? [expectation.rule]
      : [...(expectation.violations ?? []), ...(expectation.skipped ?? [])].map(({ rule }) => rule)
  return named.filter((name) => findRule(rules, name) === null)
}

type Refuse = (pointer: string, message: string, fix: string) => void

async function bindSubject(
  test: RuleTest,
  source: { readonly path: string; readonly cwd: string },
  rule: LoadedRule | null,
  refuse: Refuse,
): Promise<Pick<Case, 'target' | 'attributes' | 'entityId'> | null> {
  const wanted = test.target ?? rule?.rule.target ?? null
  if (rule !== null && wanted !== rule.rule.target) {
    refuse(test.pointer, `the rule is for a ${rule.rule.target}, the test for a ${wanted}`, 'correct `target`')
    return null
  }
  if (test.subject.kind === 'file') return readSubject(test, test.subject, source, wanted, refuse)

  const { attributes: given } = test.subject
  const target = wanted ?? guessTarget(given)
  if (target === null) {
    refuse(test.pointer, 'cannot tell whether this is a plugin or a pipeline', 'add `target: plugin` or `pipeline`')
    return null
  }
  const attributes = test.raw ? given : projectEntity(target, given)
  const excess = checkAttributes(attributes)
  if (excess !== null) {
    refuse(test.pointer, `${excess.actual} ${excess.limit}, ${excess.max} are allowed`, 'make the attributes smaller')
    return null
  }
  const effective = effectiveAttributes(target, attributes).attributes
  return { target, attributes: effective, entityId: typeof given.id === 'string' ? given.id : null }
}

async function readSubject(
  test: RuleTest,
  { path, entity: wantedName }: { readonly path: string; readonly entity: string | null },
  source: { readonly path: string; readonly cwd: string },
  wanted: Target | null,
  refuse: Refuse,
): Promise<Pick<Case, 'target' | 'attributes' | 'entityId'> | null> {
  const at = `${test.pointer}/file`
  const parsed = await readDocuments(diskTree, resolve(dirname(source.path), path), source.cwd)
  const read = entitiesOf(parsed.documents, { raw: test.raw, ...(wanted === null ? {} : { target: wanted }) })
  for (const problem of [...parsed.problems, ...read.problems]) {
    refuse(at, `${problem.file}: ${problem.message}`, problem.fix ?? 'correct the file')
  }
  if (parsed.problems.length > 0 || read.problems.length > 0) return null
  const matching = read.entities.filter(({ name }) => wantedName === null || name === wantedName)
  const [found] = matching
  if (matching.length === 1 && found)
    return { target: found.target, attributes: found.attributes, entityId: found.recordId }
  const names = read.entities.map(({ name }) => `\`${name}\``).join(', ')
  if (matching.length > 1)
    refuse(at, `the file holds ${matching.length} entities`, `add \`entity:\` with one of ${names}`)
  else refuse(`${test.pointer}/entity`, `no entity of the file is called \`${wantedName}\``, `use one of ${names}`)
  return null
}
