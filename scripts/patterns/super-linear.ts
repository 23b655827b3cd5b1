/**
 * Finds regular expressions that take more than linear time on some text: those that can read the same repeated text in
 * two ways.
 *
 * INVARIANT: a pattern is super-linear if there are positions p and q and a text w such that w leads from p to p, from
 * p to q and from q to q, and q rejects some text that can follow (Weber and Seidl, 1991). The search for a start
 * counts as a position, because the matcher tries every start.
 */
import { type Position, positionsOf } from './positions.js'

export interface SuperLinear {
  /** The text whose repetition takes long. */
  readonly pump: string
  /** The text that leads to the position where the repeats start. */
  readonly prefix: string
  /** A text after the repeats that makes the match fail. */
  readonly suffix: string
}

/** After this many states, a rejecting text is assumed to exist. */
const SETS_MAX = 2000

export function superLinear(source: string, flags: string): SuperLinear | null {
  const { all, starts } = positionsOf(source, flags)
  const regions = regionsOf(all)
  const rests = all.map((_, p) => all.map((_, q) => q).filter((q) => isInLoop(all, regions, q) && q !== p))
  const doubled = all.findIndex((each, p) => hasTwoWays(each, p, all, regions))
  for (const [p, others] of rests.entries()) {
    if (!isInLoop(all, regions, p)) continue
    for (const q of p === doubled ? [p, ...others] : others) {
      const pump = p === q ? loopAt(all, regions, p) : pumpOf(all, regions, p, q)
      if (pump === null) continue
      const suffix = refusedAfter(all, closure(all, q, pump))
      if (suffix !== null) return { pump, suffix, prefix: wayTo(all, starts, p) }
    }
  }
  return null
}

/** Two edges to the same position in the same loop, as in `(a*)*`. */
const hasTwoWays = ({ next }: Position, p: number, all: readonly Position[], regions: readonly number[]): boolean =>
  isInLoop(all, regions, p) && next.some((to, at) => regions[to] === regions[p] && next.indexOf(to) !== at)

const isInLoop = (all: readonly Position[], regions: readonly number[], p: number): boolean =>
  all[p]?.next.some((to) => regions[to] === regions[p]) ?? false

/** Positions that can reach each other have the same number. */
function regionsOf(all: readonly Position[]): number[] {
  const reach = all.map((_, from) => {
    const seen = new Set<number>()
    const queue = [...(all[from]?.next ?? [])]
    for (const at of queue) if (!seen.has(at)) seen.add(at) && queue.push(...(all[at]?.next ?? []))
    return seen
  })
  return all.map((_, p) => {
    const first = all.findIndex((_, q) => p === q || (reach[p]?.has(q) === true && reach[q]?.has(p) === true))
    return first
  })
}

type Triple = readonly [p: number, between: number, q: number]

/** A text that leads from p to p, from p to q and from q to q at once. */
function pumpOf(all: readonly Position[], regions: readonly number[], p: number, q: number): string | null {
  const isGoal = ([a, b, c]: Triple) => a === p && b === q && c === q
  const stays = (to: number, home: number) => regions[to] === regions[home]
  return shortest<Triple>([p, p, q], isGoal, ([a, b, c]) =>
    nexts(all, a).flatMap((x) =>
      stays(x, p)
        ? nexts(all, c).flatMap((z) =>
            stays(z, q)
              ? nexts(all, b).flatMap((y): [Triple, string][] => {
                  const char = shared(all, x, y, z)
                  return char === null ? [] : [[[x, y, z], char]]
                })
              : [],
          )
        : [],
    ),
  )
}

function loopAt(all: readonly Position[], regions: readonly number[], p: number): string | null {
  return shortest<number>(
    p,
    (at) => at === p,
    (at) =>
      nexts(all, at).flatMap((to): [number, string][] => (regions[to] === regions[p] ? [[to, charOf(all, to)]] : [])),
  )
}

/** A text after which the matcher is at p. */
function wayTo(all: readonly Position[], starts: readonly number[], p: number): string {
  // A position is entered by consuming its character. The start state comes before any character.
  const begin = -1
  const step = (at: number): [number, string][] =>
    (at === begin ? starts : nexts(all, at)).map((to) => [to, charOf(all, to)])
  return p === starts[0] ? '' : (shortest<number>(begin, (at) => at === p, step) ?? '')
}

/** The shortest text of at least one step; breadth first. */
function shortest<S>(
  from: S,
  isGoal: (state: S) => boolean,
  step: (state: S) => readonly [S, string][],
): string | null {
  const seen = new Set<string>()
  const queue: [S, string][] = [[from, '']]
  for (const [state, text] of queue) {
    for (const [next, char] of step(state)) {
      if (isGoal(next)) return text + char
      const key = JSON.stringify(next)
      if (!seen.has(key)) seen.add(key) && queue.push([next, text + char])
    }
  }
  return null
}

const nexts = (all: readonly Position[], at: number): readonly number[] => [...new Set(all[at]?.next ?? [])]

const charOf = (all: readonly Position[], at: number): string => [...(all[at]?.chars ?? [])].at(-1) ?? ''

const sharing = new WeakMap<readonly Position[], Map<string, string | null>>()

function shared(all: readonly Position[], ...places: readonly number[]): string | null {
  const known = sharing.get(all) ?? new Map<string, string | null>()
  sharing.set(all, known)
  const key = places.join()
  let found = known.get(key)
  if (found === undefined) {
    const [first, ...others] = places.map((at) => all[at]?.chars ?? new Set<string>())
    found = [...(first ?? [])].findLast((char) => others.every((chars) => chars.has(char))) ?? null
    known.set(key, found)
  }
  return found
}

/** Every position that repeats of the text reach from q, including those on the way, because a match may end there. */
function closure(all: readonly Position[], q: number, pump: string): ReadonlySet<number> {
  const found = new Set([q])
  for (const at of found) {
    let here = new Set([at])
    for (const char of pump) {
      here = after(all, here, char)
      for (const each of here) if (all[each]?.end === 'anywhere') return new Set([each])
    }
    for (const each of here) found.add(each)
  }
  return found
}

const after = (all: readonly Position[], places: ReadonlySet<number>, char: string): Set<number> =>
  new Set([...places].flatMap((at) => (all[at]?.next ?? []).filter((to) => all[to]?.chars.has(char))))

/** A text that leads none of the positions to a match; null if every text matches. */
function refusedAfter(all: readonly Position[], places: ReadonlySet<number>): string | null {
  const chars = [...new Set(all.flatMap((each) => [...each.chars]))]
  const seen = new Set<string>()
  const queue: [ReadonlySet<number>, string][] = [[places, '']]
  for (const [here, text] of queue) {
    const ends = new Set([...here].map((at) => all[at]?.end))
    if (ends.has('anywhere')) continue
    if (!ends.has('at end') || seen.size > SETS_MAX) return text
    for (const char of chars) {
      const next = after(all, here, char)
      const key = [...next].sort((a, b) => a - b).join()
      if (!seen.has(key)) seen.add(key) && queue.push([next, text + char])
    }
  }
  return null
}
