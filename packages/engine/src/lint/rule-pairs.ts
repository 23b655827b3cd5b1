/**
 * Findings about two rules: they contradict each other, say the same, or one implies the other.
 *
 * Only rules that read related places are compared. Samples refute most claims, so that few need a proof. A claim that
 * follows from a reported subsumption is counted and not reported.
 */

import { and, literalsOf, not, or } from '../domain/formula.js'
import type { RuleModel } from '../domain/rule-model.js'
import { type LintContext, overlaps, sizeOf, within } from './lint-context.js'

export const lintPairs = (context: LintContext, rules: readonly RuleModel[]): void => {
  const peers = peersOf(rules)
  const equals = lintImplications(context, rules, peers)
  lintContradictions(context, rules, peers, equals)
}

/** For each rule, the rules of its target that read the same place, or a place above or below it. */
const peersOf = (rules: readonly RuleModel[]): ReadonlyMap<RuleModel, ReadonlySet<RuleModel>> => {
  const at = new Map<string, RuleModel[]>()
  const under = new Map<string, RuleModel[]>()
  const add = (map: Map<string, RuleModel[]>, key: string, rule: RuleModel): void => {
    const list = map.get(key)
    if (list === undefined) map.set(key, [rule])
    else if (list.at(-1) !== rule) list.push(rule)
  }
  const placesByRule = new Map<RuleModel, readonly (readonly string[])[]>()
  for (const rule of rules) {
    const places = new Map<string, readonly string[]>()
    for (const { path } of literalsOf([rule.applies, rule.passes, rule.violated])) {
      places.set(JSON.stringify(path.segments), path.segments)
    }
    placesByRule.set(rule, [...places.values()])
    for (const segments of places.values()) {
      const root = rule.compiled.target ?? ''
      add(at, nameOf(root, segments, segments.length), rule)
      for (let length = 1; length <= segments.length; length++) add(under, nameOf(root, segments, length), rule)
    }
  }
  const peers = new Map<RuleModel, ReadonlySet<RuleModel>>()
  for (const rule of rules) {
    const related = new Set<RuleModel>()
    for (const segments of placesByRule.get(rule) ?? []) {
      const root = rule.compiled.target ?? ''
      for (const other of under.get(nameOf(root, segments, segments.length)) ?? []) related.add(other)
      for (let length = 1; length < segments.length; length++) {
        for (const other of at.get(nameOf(root, segments, length)) ?? []) related.add(other)
      }
    }
    related.delete(rule)
    peers.set(rule, related)
  }
  return peers
}

const nameOf = (root: string, segments: readonly string[], length: number): string =>
  `${root} ${JSON.stringify(segments.slice(0, length))}`

const inForceTogether = (a: RuleModel, b: RuleModel): boolean =>
  a.compiled.from <= b.compiled.until && b.compiled.from <= a.compiled.until

/** True when `outer` is in force whenever `inner` is. */
const covers = (outer: RuleModel, inner: RuleModel): boolean =>
  outer.compiled.from <= inner.compiled.from && outer.compiled.until >= inner.compiled.until

type Peers = ReadonlyMap<RuleModel, ReadonlySet<RuleModel>>

/** Reports duplicates and subsumptions. Returns the rules that say the same as an earlier rule. */
const lintImplications = (context: LintContext, rules: readonly RuleModel[], peers: Peers): Set<RuleModel> => {
  const sizes = new Map(rules.map((rule) => [rule, sizeOf(violatedIn(context, rule))]))
  const size = (rule: RuleModel): number => sizes.get(rule) ?? 0
  // The rules that most samples violate come first. So what a rule implies is known before other rules are found to
  // imply it.
  const ordered = [...rules].sort((a, b) => size(b) - size(a) || a.position - b.position)
  const implied = new Map<RuleModel, Set<RuleModel>>()
  const equals = new Set<RuleModel>()
  const limit = context.options.maxPairsPerRule ?? 10
  for (const rule of ordered) {
    // A rule that no sample violates would imply every rule, which tells the author nothing.
    if (equals.has(rule) || size(rule) === 0) continue
    const mine = violatedIn(context, rule)
    const candidates = [...(peers.get(rule) ?? [])]
      .filter((other) => !equals.has(other) && covers(other, rule) && within(mine, violatedIn(context, other)))
      .sort((a, b) => size(a) - size(b) || a.position - b.position)
    const known = new Set<RuleModel>()
    implied.set(rule, known)
    let reported = 0
    for (const other of candidates) {
      if (known.has(other)) {
        context.notReported += 1
        continue
      }
      if (spent(context)) break
      const claim = and([rule.violated, not(other.violated)])
      const result = context.ask(claim)
      if (result.status === 'found') continue
      if (result.status === 'unknown') {
        if (reported < limit) reportUndecided(context, 'subsumed', rule, other, result.reason)
        else context.notReported += 1
        reported += 1
        continue
      }
      const back = within(violatedIn(context, other), mine) && covers(rule, other)
      const converse = and([other.violated, not(rule.violated)])
      const reverse = back ? context.ask(converse).status : 'found'
      // The subsumption is proved. Whether the rule is also a duplicate stays undecided, and is counted.
      if (reverse === 'unknown') context.undecided += 1
      if (reverse === 'none') {
        equals.add(rule.position < other.position ? other : rule)
        reportDuplicate(context, rule, other)
        known.add(other)
        if (equals.has(rule)) break
        continue
      }
      known.add(other)
      for (const further of implied.get(other) ?? []) known.add(further)
      if (reported >= limit) context.notReported += 1
      else reportSubsumed(context, rule, other)
      reported += 1
    }
  }
  return equals
}

const violatedIn = (context: LintContext, rule: RuleModel): Uint32Array =>
  context.samples.get(rule)?.violated ?? new Uint32Array()

const passedIn = (context: LintContext, rule: RuleModel): Uint32Array =>
  context.samples.get(rule)?.passed ?? new Uint32Array()

const spent = (context: LintContext): boolean => {
  if (context.questions < (context.options.maxQuestions ?? 50_000)) return false
  context.notCompared += 1
  return true
}

const reportDuplicate = (context: LintContext, a: RuleModel, b: RuleModel): void => {
  const [first, second] = a.position < b.position ? [a, b] : [b, a]
  const witness = witnessOf(
    context,
    and([a.violated, b.violated]),
    [a, b],
    (verdict) => verdict(a) === 'violated' && verdict(b) === 'violated',
  )
  context.report('duplicate', [second, first], '', {
    message: `\`${second.name}\` is violated by the same entities as \`${first.name}\``,
    advice: severityAdvice(second, first),
    reason: `one cannot be violated without the other: ${context.proofOf(
      or([and([a.violated, not(b.violated)]), and([b.violated, not(a.violated)])]),
    )}`,
    ...witness,
  })
}

const reportSubsumed = (context: LintContext, rule: RuleModel, other: RuleModel): void => {
  const witness = witnessOf(
    context,
    and([rule.violated, other.violated]),
    [rule, other],
    (verdict) => verdict(rule) === 'violated' && verdict(other) === 'violated',
  )
  context.report('subsumed', [rule, other], '', {
    message: `whatever violates \`${rule.name}\` violates \`${other.name}\` too`,
    advice: severityAdvice(rule, other),
    reason: context.proofOf(and([rule.violated, not(other.violated)])),
    ...witness,
  })
}

const severityAdvice = (rule: RuleModel, other: RuleModel): string =>
  rule.compiled.severity !== 'warning' && other.compiled.severity === 'warning'
    ? `\`${rule.name}\` blocks where \`${other.name}\` only warns: keep both if that is meant, or raise \`${other.name}\``
    : `remove \`${rule.name}\`, or keep it for its own message`

type Verdicts = ReturnType<LintContext['verdicts']>

const witnessOf = (
  context: LintContext,
  formula: Parameters<LintContext['look']>[0],
  rules: readonly RuleModel[],
  shows: (verdict: Verdicts) => boolean,
): { readonly witness?: NonNullable<ReturnType<LintContext['look']>> } => {
  const witness = context.look(formula)
  return witness !== null && shows(context.verdicts(witness, rules)) ? { witness } : {}
}

const lintContradictions = (
  context: LintContext,
  rules: readonly RuleModel[],
  peers: Peers,
  equals: ReadonlySet<RuleModel>,
): void => {
  const limit = context.options.maxPairsPerRule ?? 10
  const reported = new Map<RuleModel, number>()
  const count = (rule: RuleModel): number => reported.get(rule) ?? 0
  const rank = new Map(rules.map((rule, index) => [rule, index]))
  for (const rule of rules) {
    if (equals.has(rule)) continue
    for (const other of peers.get(rule) ?? []) {
      if ((rank.get(other) ?? 0) <= (rank.get(rule) ?? 0) || equals.has(other)) continue
      if (overlaps(passedIn(context, rule), passedIn(context, other)) || !inForceTogether(rule, other)) continue
      if (count(rule) >= limit || count(other) >= limit) {
        context.notReported += 1
        continue
      }
      if (spent(context)) continue
      const claim = and([rule.passes, other.passes])
      const result = context.ask(claim)
      if (result.status === 'found') continue
      reported.set(rule, count(rule) + 1)
      reported.set(other, count(other) + 1)
      if (result.status === 'unknown') {
        reportUndecided(context, 'contradictory', rule, other, result.reason)
        continue
      }
      // Rules that never apply to the same entity cannot contradict each other.
      const witness = witnessOf(
        context,
        and([rule.passes, other.applies]),
        [rule, other],
        (verdict) => verdict(rule) === 'passed' && verdict(other) === 'violated',
      )
      const reverse =
        witness.witness === undefined
          ? witnessOf(
              context,
              and([other.passes, rule.applies]),
              [rule, other],
              (verdict) => verdict(other) === 'passed' && verdict(rule) === 'violated',
            )
          : witness
      if (reverse.witness === undefined) continue
      const [first, second] = rule.position < other.position ? [rule, other] : [other, rule]
      context.report('contradictory', [second, first], '', {
        message: `no entity can pass both \`${second.name}\` and \`${first.name}\``,
        advice: 'correct one of the two, or let one depend on what sets their entities apart',
        reason: context.proofOf(claim),
        ...reverse,
      })
    }
  }
}

const reportUndecided = (
  context: LintContext,
  code: 'contradictory' | 'subsumed',
  rule: RuleModel,
  other: RuleModel,
  reason: string,
): void => {
  const message =
    code === 'subsumed'
      ? `it is not decided whether whatever violates \`${rule.name}\` violates \`${other.name}\` too`
      : `it is not decided whether an entity can pass both \`${rule.name}\` and \`${other.name}\``
  context.report(code, [rule, other], '', {
    status: 'unknown',
    message,
    advice: 'compare the two rules by eye, or simplify them',
    reason,
  })
}
