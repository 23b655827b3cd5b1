/**
 * Which patterns may run on the backtracking `RegExp`: those for which a search over any text of n units is O(n),
 * proven from the structure of the pattern.
 *
 * **One-unambiguous** (Brüggemann-Klein and Wood, "One-unambiguous regular languages", 1998): after any prefix of the
 * text, at most one leaf of the pattern can take the next unit, and there is at most one way to reach it. Here that is
 * decided without building the automaton, from two sets per node: `first`, the units that can begin it, and `follow`,
 * the units that can go on inside it after it could have ended. The conditions, per node:
 *   - alternatives: their `first` sets are pairwise disjoint, and at most one can be empty of units;
 *   - `XY`: `follow(X)` is disjoint from `first(Y)`, and so is `first(X)` when X can be empty;
 *   - a repeat that can go round: `follow(X)` is disjoint from `first(X)`; a repeated X is never empty. A repeat with
 *     one fixed count never has to choose whether to leave, so it only needs the first half.
 * Assertions take no unit; they count as able to be empty, which only adds paths and keeps the bound safe.
 *
 * **Cost of one start.** A backtracking matcher follows the one path that takes units. At each choice on it, every
 * other alternative ends without taking a unit, since the unit at hand belongs to the path's own leaf: it costs at most
 * the number of leaves and assertions reachable there. Coming back to a choice later finds the same dead ends, once.
 * So a start costs at most the sum, over the leaves it passes, of the choices after each (`width`).
 *
 * **Cost of the search.**
 *   1. *Anchored*: every path begins with `^`, so all starts but the first fail at once (after `firstWidth`
 *      alternatives, where `^` is not the very first item). Inside repeats a unit costs at
 *      most the widest choice there, bounded by `MAX_NATIVE_WORK`; outside, each instruction runs at most once.
 *   2. *Bounded length*: no unbounded repeat. A start runs each instruction of the unrolled program at most once; the
 *      program is bounded by `MAX_NATIVE_WORK`, so n starts cost O(n).
 */

import { type PatternNode, programCost } from './ast.js'
import { type CharSet, intersects, NOTHING, union } from './char-set.js'
import { MAX_NATIVE_WORK } from './limits.js'

/** True when `RegExp` searches for this pattern in linear time. Factor the pattern first (`factor.ts`). */
export function isLinearOnRegExp(node: PatternNode): boolean {
  const shape = analyse(node)
  if (shape === null) return false
  if (isAnchored(node) && (beginsWithStart(node) || shape.firstWidth <= MAX_NATIVE_WORK)) {
    return shape.loopWidth <= MAX_NATIVE_WORK
  }
  return shape.isBounded && programCost(node) <= MAX_NATIVE_WORK
}

/** Facts about a one-unambiguous node. */
interface Shape {
  /** True when the node can match without taking a unit. */
  readonly nullable: boolean
  readonly first: CharSet
  readonly follow: CharSet
  /** The number of leaves and assertions that can begin the node. */
  readonly firstWidth: number
  /** The highest number of leaves and assertions that can continue inside the node after one of its last leaves. */
  readonly followWidth: number
  /**
   * The highest number of choices after one leaf: anywhere in the node (`width`), and inside its repeats (`loopWidth`).
   */
  readonly width: number
  readonly loopWidth: number
  /** True when the node contains no unbounded repeat. */
  readonly isBounded: boolean
}

/** Analyses a node. Returns null when it is not one-unambiguous. */
function analyse(node: PatternNode): Shape | null {
  switch (node.kind) {
    case 'empty':
      return { ...LEAF, nullable: true, firstWidth: 0 }
    case 'assert':
      return { ...LEAF, nullable: true }
    case 'set':
      return { ...LEAF, first: node.set }
    case 'concat':
      return node.items.map(analyse).reduce(sequence)
    case 'alt':
      return node.branches.map(analyse).reduce(choice)
    case 'repeat':
      return loop(analyse(node.body), node.min, node.max)
  }
}

const LEAF: Shape = {
  nullable: false,
  first: NOTHING,
  follow: NOTHING,
  firstWidth: 1,
  followWidth: 0,
  width: 0,
  loopWidth: 0,
  isBounded: true,
}

function choice(a: Shape | null, b: Shape | null): Shape | null {
  if (a === null || b === null) return null
  if (intersects(a.first, b.first) || (a.nullable && b.nullable)) return null
  return {
    nullable: a.nullable || b.nullable,
    first: union(a.first, b.first),
    follow: union(a.follow, b.follow),
    firstWidth: a.firstWidth + b.firstWidth,
    followWidth: Math.max(a.followWidth, b.followWidth),
    width: Math.max(a.width, b.width),
    loopWidth: Math.max(a.loopWidth, b.loopWidth),
    isBounded: a.isBounded && b.isBounded,
  }
}

function sequence(a: Shape | null, b: Shape | null): Shape | null {
  if (a === null || b === null) return null
  if (intersects(a.follow, b.first) || (a.nullable && intersects(a.first, b.first))) return null
  const width = a.followWidth + b.firstWidth
  return {
    nullable: a.nullable && b.nullable,
    first: a.nullable ? union(a.first, b.first) : a.first,
    follow: b.nullable ? union(union(a.follow, b.first), b.follow) : b.follow,
    firstWidth: a.nullable ? a.firstWidth + b.firstWidth : a.firstWidth,
    followWidth: b.nullable ? Math.max(width, b.followWidth) : b.followWidth,
    width: Math.max(a.width, b.width, width),
    loopWidth: Math.max(a.loopWidth, b.loopWidth),
    isBounded: a.isBounded && b.isBounded,
  }
}

function loop(body: Shape | null, min: number, max: number): Shape | null {
  if (body === null || body.nullable) return null
  const goesRound = max > 1
  if (goesRound && intersects(body.follow, body.first)) return null
  const mayStop = goesRound && min < max
  const width = goesRound ? Math.max(body.width, body.followWidth + body.firstWidth) : body.width
  return {
    ...body,
    nullable: min === 0,
    follow: mayStop ? union(body.follow, body.first) : body.follow,
    followWidth: mayStop ? body.followWidth + body.firstWidth : body.followWidth,
    width,
    loopWidth: goesRound ? Math.max(body.loopWidth, width) : body.loopWidth,
    isBounded: body.isBounded && max !== Infinity,
  }
}

function beginsWithStart(node: PatternNode): boolean {
  const first = node.kind === 'concat' ? node.items[0] : node
  return first?.kind === 'assert' && first.assertion === 'start'
}

/** True when every path through the node meets `^` before it takes a unit. */
function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assert':
      return node.assertion === 'start'
    case 'alt':
      return node.branches.every(isAnchored)
    case 'repeat':
      return node.min > 0 && isAnchored(node.body)
    case 'concat': {
      const first = node.items.find((item) => item.kind !== 'assert' || item.assertion === 'start')
      return first !== undefined && isAnchored(first)
    }
    default:
      return false
  }
}
