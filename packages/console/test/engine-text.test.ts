/** Every text that the engine writes for people is said in German too, whatever values stand in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileRules, lintRules, type Rule, validateRule } from '@plumbline/engine'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { engineText } from '../src/data/engine-text.js'
import { demandWords, violationWords } from '../src/data/words-violations.js'
import { ruleTextWords } from '../src/screens/rules/words-engine.js'
import type { Pair } from '../src/ui/words.js'

const german = (text: string): string => engineText(text, 'de', ruleTextWords)

describe('a text of the engine', () => {
  it.each([
    ['`timeout` must be at most 60', '`timeout` darf höchstens 60 sein'],
    ['`a` must equal "x` must be present"', '`a` muss gleich "x` must be present" sein'],
    ['`image` must match `^ghcr\\.io/`', '`image` muss auf `^ghcr\\.io/` passen'],
    [
      'because `env` is "prod", `tests` must be present or `n` must be at least 5 (found 3)',
      'weil `env` gleich "prod" ist: `tests` muss vorhanden sein oder `n` muss mindestens 5 sein (gefunden: 3)',
    ],
    [
      'none of these holds: `a` must equal "x; y" (found nothing); `b` must be absent (found 1); and 3 more',
      'nichts davon trifft zu: `a` muss gleich "x; y" sein (nicht gefunden); `b` darf nicht vorhanden sein (gefunden: 1); und 3 weitere',
    ],
    ['the rule cannot be evaluated: regex_syntax', 'die Regel kann nicht ausgewertet werden: regex_syntax'],
    ['`a rule`: `operatr` is not known', '`a rule`: `operatr` ist nicht bekannt'],
    ['remove it, or did you mean `operator`', 'entfernen, oder ist `operator` gemeint?'],
    ['give plugin or pipeline', 'plugin oder pipeline angeben'],
    ['give warning or error or critical', 'warning, error oder critical angeben'],
    [
      '`a` depends on `b`, and several rules have that name: its gate is closed for every entity',
      '`a` hängt von `b` ab, und mehrere Regeln haben diesen Namen: die Regel gilt deshalb nie',
    ],
  ])('%s', (english, expected) => {
    expect(german(english)).toBe(expected)
    expect(engineText(english, 'en', ruleTextWords)).toBe(english)
  })

  it('that no sentence fits, and a message with a part that none fits, stay as they are', () => {
    for (const text of [
      'something new',
      '',
      'none of these holds: `a` must glow; `b` must be present',
      'because of it',
    ])
      expect(german(text)).toBe(text)
  })
})

const operators = Object.keys(demandWords)
const anyValue = fc.oneof(fc.string(), fc.integer(), fc.array(fc.string(), { maxLength: 3 }), fc.boolean())
const anyCheck = fc.record({
  field: fc.constantFrom('a', 'labels["team.name"]', '$count(a.b)', '$lines(c)'),
  operator: fc.constantFrom(...operators),
  value: anyValue,
})
const anyRule = fc
  .record({
    conditions: fc.array(anyCheck, { minLength: 1, maxLength: 4 }),
    conditionMode: fc.constantFrom('all', 'any'),
  })
  .map((parts) => ({ id: 'r', name: 'r', target: 'plugin', ...parts }) as unknown as Rule)
const anyAttributes = fc.dictionary(fc.constantFrom('a', 'c', 'labels'), anyValue)

describe('messages of the engine', () => {
  it('about violations are said in German, with every value as it was', () => {
    let said = 0
    fc.assert(
      fc.property(anyRule, anyAttributes, (rule, attributes) => {
        for (const { message } of compileRules([rule]).evaluate(attributes).violations) {
          said += 1
          expect(german(message)).not.toBe(message)
        }
      }),
      { numRuns: 2_000 },
    )
    expect(said).toBeGreaterThan(500)
  })

  it('about rules that it refuses, and about rules that it analyses, are said in German', () => {
    const texts = new Set<string>()
    const anyDraft = fc.oneof(
      anyRule,
      fc.record({ name: anyValue, target: anyValue, field: anyValue, operator: anyValue }),
    )
    fc.assert(
      fc.property(fc.array(anyDraft, { maxLength: 3 }), (drafts) => {
        for (const { message, fix } of drafts.flatMap((draft) => validateRule(draft))) texts.add(message).add(fix)
        for (const finding of lintRules(drafts as Rule[])) {
          texts.add(finding.message).add(finding.advice)
          if (finding.fix !== undefined) texts.add(finding.fix.description)
        }
      }),
      { numRuns: 500 },
    )
    expect(texts.size).toBeGreaterThan(100)
    expect([...texts].filter((text) => german(text) === text)).toEqual([])
  })
})

const ENGINE = fileURLToPath(new URL('../../engine/src', import.meta.url))
/** Parts of messages, which the laws above join; titles and reasons of findings, which the console does not show; schemas. */
const OTHERS =
  /^(compile\/(message|alternatives|arrange)|regex\/fault|record\/(field-docs|schema)|lint\/(finding|lint-context))\.ts$/
/** Where the engine writes for people. Other folders repeat these texts, or write for machines. */
const WRITERS = ['compile', 'operator', 'record', 'rule-set', 'path', 'regex', 'lint'].flatMap((folder) =>
  readdirSync(`${ENGINE}/${folder}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`)
    .filter((file) => !OTHERS.test(file)),
)

/** A template as texts: each choice between two literals once, and `7` for every other value. */
function written(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...written(node.whenTrue), ...written(node.whenFalse)]
  if (!ts.isTemplateExpression(node)) return ['7']
  return node.templateSpans.reduce(
    (starts, { expression, literal }) =>
      starts.flatMap((start) => written(expression).map((value) => start + value + literal.text)),
    [node.head.text],
  )
}

const isReason = (node: ts.Node) => ts.isPropertyAssignment(node) && node.name.getText() === 'reason'

describe('a text in the source of the engine', () => {
  it.each(WRITERS)('%s', (file) => {
    const source = ts.createSourceFile(file, readFileSync(`${ENGINE}/${file}`, 'utf8'), ts.ScriptTarget.Latest, true)
    const missing: string[] = []
    const walk = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) || ts.isThrowStatement(node) || isReason(node)) return
      if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) {
        missing.push(...written(node).filter((text) => /^\S.* [`$a-z]/.test(text) && german(text) === text))
        return
      }
      ts.forEachChild(node, walk)
    }
    walk(source)
    expect(missing).toEqual([])
  })
})

it('each sentence has the same values in both languages, and a text of its own', () => {
  const pairs: Pair[] = Object.values({ ...demandWords, ...violationWords, ...ruleTextWords })
  const places = (text: string) => [...text.matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name]) => name).sort()
  for (const [en, de] of pairs) expect(places(de), en).toEqual(places(en))
  expect(new Set(pairs.map(([en]) => en)).size).toBe(pairs.length)
})
