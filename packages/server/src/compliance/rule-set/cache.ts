/**
 * Caches compiled rule sets by organization and target while nothing changed. The stamp is compared at each use, so the
 * time to live is only a second safeguard. Of several checks that miss at the same time, one loads.
 */
import { compileRules, type RuleSet, type Target } from '@plumbline/engine'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import type { Mode } from '../rule/schema.js'
import { type Held, readStamps } from '../rule-stamp.js'
import type { MergedRules } from './assemble.js'
import { loadRules } from './load.js'

export interface HeldRules {
  readonly ruleSet: RuleSet
  readonly modes: ReadonlyMap<string, Mode>
}

export interface RuleSets {
  /**
   * The rules that apply to the organization now. @throws when the database does not answer: a stale rule set is never
   * used.
   */
  get(db: Db, held: Held, target: Target): Promise<HeldRules>
}

export interface RuleSetOptions {
  readonly clock: Clock
  readonly ttlMs: number
  /** Rules that are cached over all organizations; the least recently used sets are evicted first. */
  readonly rulesMax: number
  readonly regexLengthMax: number
  /** For tests: replaces loading the rules from the database. */
  readonly load?: (db: Db, held: Held, target: Target) => Promise<MergedRules>
}

/** A load is repeated when rules change meanwhile, at most this often. */
const LOADS_MAX = 8

interface Kept extends HeldRules {
  readonly stamps: string
  readonly loadedAtMs: number
}

export function createRuleSets({ clock, ttlMs, rulesMax, regexLengthMax, load = loadRules }: RuleSetOptions): RuleSets {
  const kept = new LRUCache<string, Kept>({
    maxSize: rulesMax,
    sizeCalculation: ({ ruleSet }) => ruleSet.rules.length + 1,
  })
  const loading = new Map<string, Promise<Kept>>()

  async function compile(db: Db, held: Held, target: Target, key: string, stamps: string): Promise<Kept> {
    const loadedAtMs = clock.now()
    let before = stamps
    for (let attempt = 0; attempt < LOADS_MAX; attempt++) {
      const { rules, modes } = await load(db, held, target)
      // Each statement of the load may have read a newer state: a rule that moves between two sources could be missing
      // in both.
      const after = await readStamps(db, held)
      // guard: a-rule-set-of-two-moments-is-read-again
      if (after === before) {
        const ruleSet = compileRules(rules, { limits: { regexLength: regexLengthMax } })
        const made: Kept = { ruleSet, modes, stamps: after, loadedAtMs }
        kept.set(key, made)
        return made
      }
      before = after
    }
    throw new Refusal('SERVICE_UNAVAILABLE', 'the rules change faster than they can be read; try again')
  }

  return {
    async get(db, held, target) {
      const key = `${held.orgId}|${target}|${held.isSystemScan === true ? 'scan' : ''}`
      const stamps = await readStamps(db, held)
      const found = kept.get(key)
      // guard: a-rule-set-is-compared-with-the-stamps-before-its-use
      // guard: a-changed-rule-set-is-loaded-again
      if (found !== undefined && found.stamps === stamps) {
        const ageMs = clock.now() - found.loadedAtMs
        // guard: the-time-to-live-of-a-rule-set
        if (ageMs >= 0 && ageMs < ttlMs) return found
      }
      const turn = `${key}|${stamps}`
      const running = loading.get(turn)
      // guard: of-first-checks-at-once-one-reads-the-rules
      if (running !== undefined) return running
      const made = compile(db, held, target, key, stamps).finally(() => loading.delete(turn))
      loading.set(turn, made)
      return made
    },
  }
}
