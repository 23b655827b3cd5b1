/**
 * Random organizations with what they are held to, changed by requests to one replica and checked by requests to the other. Each
 * scenario is a change or two and one check after it, live or dry, of an entity that is stored, named or new; what is answered
 * must be the oracle's verdict on what the model says holds.
 *
 * INVARIANT: a world depends on its seed and number alone.
 */
import { isSame } from '../../../engine/proof/compare.js'
import { Random } from '../../../engine/proof/random.js'
import { CLOCK_JUMPS_MS, nearEntity } from './generate.js'
import { type Asked, heldBy, keyIn, type ModelOrg, type Target, verdictOf } from './model.js'
import type { Replicas } from './server.js'
import { START_MS } from './server.js'
import { KEYS, World } from './world.js'

const KEY_OF_STORED = { project: 'shop', organization: 'ACME' }

function isKeyOfStored(attributes: Record<string, unknown>): boolean {
  const key = keyIn('pipeline', attributes)
  if (key === null || !('project' in key)) return false
  return key.project.toLowerCase() === 'shop' && key.organization.toLowerCase() === 'acme'
}

export const SCENARIOS_PER_WORLD = 120
const ENFORCED_EVERY = 5

export interface VerdictReport {
  scenarios: number
  worlds: number
  live: number
  blocked: number
  inherited: number
  subscribed: number
  pinned: number
  exempted: number
  softened: number
  failures: string[]
}

export interface ProveOptions {
  readonly cases: number
  readonly seed: number
  /** One world alone, to repeat it. */
  readonly only: number | null
  /** The run ends with so many. */
  readonly failuresMax: number
  readonly onProgress?: (report: VerdictReport) => void
}

export async function proveVerdicts(
  replicas: Replicas,
  { cases, seed, only, failuresMax, onProgress }: ProveOptions,
): Promise<VerdictReport> {
  const report: VerdictReport = {
    ...{
      scenarios: 0,
      worlds: 0,
      live: 0,
      blocked: 0,
      inherited: 0,
      subscribed: 0,
      pinned: 0,
      exempted: 0,
      softened: 0,
    },
    failures: [],
  }
  for (let number = only ?? 1; report.scenarios < cases && report.failures.length < failuresMax; number++) {
    const random = new Random(seed, number)
    replicas.clock.set(Math.max(replicas.clock.now(), START_MS) + 1000)
    const world = new World(replicas, random, number)
    await world.build()
    report.worlds += 1
    for (let at = 0; at < SCENARIOS_PER_WORLD && report.scenarios < cases; at++) {
      report.scenarios += 1
      const problem = await scenario(world, replicas, random, report)
      if (problem === null) continue
      report.failures.push(
        `--seed ${seed} --world ${number}, scenario ${at}: ${problem}\n${world.history.slice(-25).join('\n')}`,
      )
      break
    }
    onProgress?.(report)
    if (only !== null) break
  }
  return report
}

async function scenario(
  world: World,
  replicas: Replicas,
  random: Random,
  report: VerdictReport,
): Promise<string | null> {
  const { clock } = replicas
  if (random.chance(15)) clock.advance(random.pick(CLOCK_JUMPS_MS))
  try {
    for (let changes = random.below(3); changes >= 0; changes--) await world.change()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const org = random.chance(97) ? random.pick(world.tenants) : (world.model.orgs[0] as ModelOrg)
  const found = await compareCheck(world, clock.now(), org, random, report)
  if (found !== null || random.below(ENFORCED_EVERY) > 0) return found
  return compareEnforced(world, org)
}

async function compareCheck(
  world: World,
  nowMs: number,
  org: ModelOrg,
  random: Random,
  report: VerdictReport,
): Promise<string | null> {
  const target: Target = random.chance(70) ? 'plugin' : 'pipeline'
  const stored = world.entities.stored.get(org.id)
  const isStored = target === 'pipeline' && stored !== undefined && random.chance(30)
  const ids = isStored ? [stored.id] : world.entities.ids[target]
  const isLive = random.chance(50)
  const key = isStored ? KEY_OF_STORED : random.chance(50) ? random.pick(KEYS[target]) : {}
  const attributes = { ...nearEntity(random, world.base), ...key }
  // By id, by the key that its attributes hold, or as one that is not stored yet; a name decides nothing.
  const isByKey = random.chance(isStored ? 60 : 30)
  const leadsTo = stored !== undefined && target === 'pipeline' && isKeyOfStored(attributes) ? stored.id : null
  const entityId = isByKey ? leadsTo : random.pick(ids)
  const asked: Asked = { org, target, attributes, entityId, nowMs }
  const name = isLive && stored !== undefined && random.chance(30) ? { entityName: stored.name } : {}
  const identity = isByKey || entityId === null ? name : { ...name, entityId }
  const path = `/compliance/validate/${target}${isLive ? '' : '/dry-run'}`
  const answer = await world.call(org, 'POST', path, { attributes, ...identity })
  if (answer.status === 400) return /attribute_(keys|depth|nodes)/.test(answer.text) ? null : `refused: ${answer.text}`
  if (answer.status !== 200) return `${path}: ${answer.status} ${answer.text}`
  const { checkId, ...actual } = answer.data
  if (isLive !== (checkId !== undefined)) return `a ${isLive ? 'live' : 'dry'} check answered the entry ${checkId}`
  const expected = JSON.parse(JSON.stringify(verdictOf(world.model, asked))) as Record<string, unknown>
  count(expected, world, org, target, report, isLive)
  const at = differenceOf(expected, actual)
  if (at === null) return null
  const rules = heldBy(world.model, org, target)
  return `${path} of ${org.id} (${JSON.stringify(identity)}) at ${nowMs}: ${at}\n  oracle ${JSON.stringify(expected[at])}\n  server ${JSON.stringify(actual[at])}\n  attributes ${JSON.stringify(attributes)}\n  rules ${JSON.stringify(rules)}`
}

/** The first part in which they differ; of a rule that cannot be evaluated the message must name the reason. */
function differenceOf(expected: Record<string, unknown>, actual: Record<string, unknown>): string | null {
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    if (!isSame(plain(expected[key]), plain(actual[key]))) return key
  }
  return null
}

const plain = (value: unknown): unknown => (Array.isArray(value) ? value.map(plainEntry) : value)

function plainEntry(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { issue, violation } = value as { issue?: unknown; violation?: unknown }
  if (violation !== undefined) return { ...value, violation: plainEntry(violation) }
  return sorted(issue == null ? value : { ...value, message: issue })
}

/** A violation whose severity was softened has one key more, wherever it stands. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'ruleId' in value
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

function count(
  expected: Record<string, unknown>,
  world: World,
  org: ModelOrg,
  target: Target,
  report: VerdictReport,
  isLive: boolean,
): void {
  const held = heldBy(world.model, org, target)
  const violations = expected['violations'] as { source: string; declaredSeverity?: string }[]
  if (isLive) report.live += 1
  if (expected['blocked'] === true) report.blocked += 1
  if (violations.some(({ source }) => source === 'inherited')) report.inherited += 1
  if (violations.some(({ source }) => source === 'subscribed')) report.subscribed += 1
  if (held.some(({ isPinned }) => isPinned)) report.pinned += 1
  if (expected['exempted'] !== undefined) report.exempted += 1
  if (violations.some(({ declaredSeverity }) => declaredSeverity !== undefined)) report.softened += 1
}

async function compareEnforced(world: World, org: ModelOrg): Promise<string | null> {
  const answer = await world.call(org, 'GET', '/compliance/subscriptions/enforced')
  if (answer.status !== 200) return `enforced: ${answer.status} ${answer.text}`
  const expected = (['plugin', 'pipeline'] as const)
    .flatMap((target) => heldBy(world.model, org, target))
    .map(
      ({ rule, mode, isPinned, version }) =>
        `${rule.id} ${rule.name} ${rule.target} ${rule.source} ${rule.severity ?? 'error'} ${rule.priority ?? 0} ${mode} ${isPinned} ${version} ${rule.policyIds}`,
    )
  type Listed = Record<'id' | 'name' | 'target' | 'source' | 'severity' | 'mode', string> & {
    readonly [key in 'priority' | 'pinned' | 'version' | 'policyIds']: unknown
  }
  const actual = (answer.data.rules as Listed[]).map(
    (rule) =>
      `${rule.id} ${rule.name} ${rule.target} ${rule.source} ${rule.severity} ${rule.priority} ${rule.mode} ${rule.pinned} ${rule.version} ${rule.policyIds}`,
  )
  if (isSame(expected.sort(), actual.sort())) return null
  const missing = expected.filter((each) => !actual.includes(each))
  const beyond = actual.filter((each) => !expected.includes(each))
  return `enforced of ${org.id}: missing ${JSON.stringify(missing)}, beyond ${JSON.stringify(beyond)}`
}
