/**
 * Rule sets, compiled once for an organization and a target and kept while nothing changed. The stamp is compared at each
 * use, so the time to live is only a second net. Of several checks that miss at once, one loads.
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
  /** The rules that the organization is held to now. @throws when the database does not answer: there is no old answer. */
  get(db: Db, held: Held, target: Target): Promise<HeldRules>
}

export interface RuleSetOptions {
  readonly clock: Clock
  readonly ttlMs: number
  /** Rules that are kept over all organizations; the sets used longest ago go first. */
  readonly rulesMax: number
  readonly regexLengthMax: number
  /** For tests: what is called instead of the database's rules. */
  readonly load?: (db: Db, held: Held, target: Target) => Promise<MergedRules>
}

/** Changes of the rules that a load puts up with. */
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
      // Its statements may each have seen a newer state: of a rule that moves from one place to another they could see neither.
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
    throw new Refusal('SERVICE_UNAVAILABLE', 'the rules are changed faster than they are read; try again')
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
