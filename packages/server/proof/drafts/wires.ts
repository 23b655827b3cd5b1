/** Twenty kinds of bad answers over six wires, streamed and whole: one end each, and everything settled. */
import { MISBEHAVIOURS, type Misbehaviour } from '../../src/ai/fake/server.js'
import type { Random } from '../world/random.js'
import { ask, keyOf, looked, propsWith, settled, together, WIRES, WISH, type Wire, type World } from './world.js'

const MARK = /kind-is-([a-z0-9-]+?)\./

/** What the fake does is in the prompt, so that runs go side by side. */
export const kindIn = (body: string): Misbehaviour | 'good' => {
  const [, kind = 'good'] = MARK.exec(body) ?? []
  return kind as Misbehaviour | 'good'
}

const AWAY = ['UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT'] as const
const INVALID = ['AI_OUTPUT_INVALID'] as const

/** How each may end: `done`, or by a code. */
const ENDS: Readonly<Record<Misbehaviour, readonly string[]>> = {
  refused: AWAY,
  silent: AWAY,
  late: ['done'],
  midway: AWAY,
  drip: ['done'],
  '500': AWAY,
  '429': AWAY,
  '401': ['AI_KEY_REJECTED'],
  html: AWAY,
  // As the input of a tool, some packages take no text at all.
  'no-json': [...INVALID, ...AWAY],
  cut: [...INVALID, ...AWAY],
  fenced: ['done', ...INVALID],
  'off-schema': INVALID,
  'extra-keys': INVALID,
  endless: [...INVALID, ...AWAY],
  'line-cut': AWAY,
  'broken-chunk': AWAY,
  redirect: AWAY,
  'absurd-usage': ['done'],
  obey: ['done'],
}
/** They end by the clock of the server alone. */
const HANGING: readonly Misbehaviour[] = ['silent', 'midway']
const WISHES = ['node service with tests', 'python, deploy to staging', 'go nightly', 'java with plugin scan']
const WIDTH = 8

export interface Counts {
  runs: number
  drafts: number
}

/** Walks over all combinations in turn, each time with another wish. */
export async function proveWires(world: World, runs: number, random: Random): Promise<Counts> {
  const combinations = WIRES.flatMap((wire) =>
    MISBEHAVIOURS.flatMap((kind) => [true, false].map((isStreamed) => ({ wire, kind, isStreamed }))),
  )
  const counts: Counts = { runs: 0, drafts: 0 }
  // The packages are loaded at their first question, which is not part of an answer's time.
  for (const wire of runs === 0 ? [] : WIRES) {
    const body = { prompt: 'node', provider: wire, apiKey: keyOf(wire) }
    await world.app.call('POST', '/pipelines/generate', { as: world.ada, body })
  }
  const jobs = Array.from({ length: runs }, (_, n) => {
    const combination = combinations[n % combinations.length] as (typeof combinations)[number]
    const wish = random.pick(WISHES)
    const isChange = random.below(3) === 0
    const isPlugin = random.below(4) === 0
    return () => one(world, { ...combination, wish, isChange, isPlugin }, counts)
  })
  await together(jobs, WIDTH)
  await settled(world, 'wires')
  looked(world, 'wires')
  return counts
}

interface Run {
  readonly wire: Wire
  readonly kind: Misbehaviour
  readonly isStreamed: boolean
  readonly wish: string
  readonly isChange: boolean
  readonly isPlugin: boolean
}

async function one(world: World, run: Run, counts: Counts): Promise<void> {
  const { wire, kind, isStreamed, wish, isChange, isPlugin } = run
  const name = `${wire} ${kind} ${isStreamed ? 'streamed' : 'whole'}${isPlugin ? ' plugin' : ''}`
  const what = isPlugin ? 'plugins' : 'pipelines'
  const body = {
    prompt: `${wish}, ${WISH}, kind-is-${kind}.`,
    provider: wire,
    apiKey: keyOf(wire),
    ...(isChange && !isPlugin ? { previousConfig: propsWith('canary-own-environment') } : {}),
  }
  const path = `/${what}/generate${isStreamed ? '/stream' : ''}`
  const { code, status, done } = await ask(world, path, body, name, HANGING.includes(kind) ? world.hasty : world.app)
  const end = code ?? 'done'
  if (!ENDS[kind].includes(end)) world.fail(`${name}: ended as ${end} (${status})`)
  if (end === 'done' && done?.compliance === undefined) world.fail(`${name}: a draft without a verdict`)
  counts.runs += 1
  if (end === 'done') counts.drafts += 1
}
