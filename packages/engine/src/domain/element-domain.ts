/**
 * Solves the members of a list, or the keys of an object: which are allowed, which are required, and how many.
 *
 * Every check on a list says one of two things: that all members are of an allowed kind, or that some member is of a
 * wanted kind. INVARIANT: unless `complete` is false, the kinds tried here are all that exist: the constants of the
 * checks in every spelling that a case-insensitive check accepts, one text that no check names, null, and a container.
 */

import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import { checkHolds } from './literal.js'

export interface MemberTest {
  readonly check: Check
  readonly holds: boolean
}

/** What one check demands of the members of a list that is not empty. */
interface Demand {
  readonly every: ((member: unknown) => boolean) | null
  readonly some: ((member: unknown) => boolean) | null
}

const single = (check: Check, member: unknown): boolean => checkHolds(check, [member])

/** Each of these checks decides the kind of a member when it runs on a list with that member alone. */
const demandOf = ({ check, holds }: MemberTest): Demand => {
  const yes = (member: unknown): boolean => single(check, member)
  const no = (member: unknown): boolean => !single(check, member)
  // `contains` holds when one member satisfies it. The other three operators hold when all members satisfy them.
  if (check.op === Op.contains) return holds ? { every: null, some: yes } : { every: no, some: null }
  return holds ? { every: yes, some: null } : { every: null, some: no }
}

export const isMemberCheck = (op: Op): boolean =>
  op === Op.contains || op === Op.notContains || op === Op.in || op === Op.notIn

export interface Members {
  /** The kinds of members that every check allows. */
  readonly allowed: readonly unknown[]
  /** The fewest members that meet every wanted kind; null when a wanted kind cannot be met. */
  readonly needed: readonly unknown[] | null
  /** False when an allowed spelling may have been missed. */
  readonly complete: boolean
}

const FRESH = ['x', 'y', 'other', 'item-1', 'item-2', 'item-3']
const MAX_SPELLINGS = 64

/**
 * @param textsOnly Set for the keys of an object, which are always texts.
 * @param extra Members that are present in any case. They count towards the wanted kinds.
 * @param most The most members that may be needed.
 */
export const membersMeeting = (
  tests: readonly MemberTest[],
  textsOnly: boolean,
  extra: readonly unknown[],
  most: number,
  suggestions: readonly string[] = [],
): Members => {
  const demands = tests.map(demandOf)
  const { kinds, complete } = memberKinds(tests, textsOnly, suggestions)
  const allowed = kinds.filter((kind) => demands.every(({ every }) => every === null || every(kind)))
  const wanted = demands.flatMap(({ some }) => (some === null ? [] : [some]))
  const open = wanted.filter((some) => !extra.some(some))
  return { allowed, needed: coverAll(open, allowed, most - extra.length), complete }
}

/** Returns the fewest members that meet every wish, or null. The depth-first search over the wishes is exact. */
const coverAll = (
  wanted: readonly ((member: unknown) => boolean)[],
  allowed: readonly unknown[],
  most: number,
): readonly unknown[] | null => {
  const [first, ...rest] = wanted
  if (first === undefined) return []
  if (most <= 0) return null
  let best: readonly unknown[] | null = null
  const tried = new Set<string>()
  for (const member of allowed) {
    if (!first(member)) continue
    const left = rest.filter((some) => !some(member))
    const name = rest.map((some) => (some(member) ? 1 : 0)).join('')
    if (tried.has(name)) continue
    tried.add(name)
    const others = coverAll(left, allowed, Math.min(most, best?.length ?? most) - 1)
    if (others !== null && (best === null || others.length + 1 < best.length)) best = [member, ...others]
  }
  return best
}

const memberKinds = (
  tests: readonly MemberTest[],
  textsOnly: boolean,
  suggestions: readonly string[],
): { kinds: readonly unknown[]; complete: boolean } => {
  const listed = new Set<string>()
  const sought = new Set<string>()
  for (const { check } of tests) {
    if (check.texts !== null) for (const text of check.texts) listed.add(text)
    else if (check.op === Op.contains || check.op === Op.notContains) sought.add(check.text)
  }
  const texts = new Set<string>([...suggestions, ...FRESH])
  let complete = true
  for (const text of sought) {
    const { spellings, unlisted } = spellingsOf(text, listed)
    for (const spelling of spellings) texts.add(spelling)
    // A spelling that is in no list is a kind of its own. When none was found, a rare one may still exist.
    if (!unlisted) complete = false
  }
  for (const text of listed) texts.add(text)
  let fresh = 'member'
  while (listed.has(fresh) || sought.has(fresh)) fresh += '-x'
  texts.add(fresh)
  const kinds: unknown[] = [...texts]
  if (!textsOnly) kinds.push(null, {})
  return { kinds, complete }
}

/** Spellings whose lower-case form is `text`: enough to include one that is in no list, when there is such a spelling. */
const spellingsOf = (text: string, listed: ReadonlySet<string>): { spellings: string[]; unlisted: boolean } => {
  const spellings = new Set<string>()
  const letters: number[] = []
  for (let at = 0; at < text.length; at++) {
    const upper = text.charAt(at).toUpperCase()
    if (upper.length === 1 && upper !== text.charAt(at) && upper.toLowerCase() === text.charAt(at)) letters.push(at)
  }
  const combinations = Math.min(2 ** letters.length, MAX_SPELLINGS)
  let unlisted = false
  for (let mask = 0; mask < combinations; mask++) {
    const units = [...text.split('')]
    letters.forEach((at, bit) => {
      if (bit < 30 && (mask >> bit) & 1) units[at] = (units[at] ?? '').toUpperCase()
    })
    const spelling = units.join('')
    if (spelling.toLowerCase() !== text) continue
    spellings.add(spelling)
    if (!listed.has(spelling)) unlisted = true
  }
  const capitals = text.toUpperCase()
  if (capitals.toLowerCase() === text) spellings.add(capitals)
  return { spellings: [...spellings], unlisted }
}
