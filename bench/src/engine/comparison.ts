/** One workload for all contenders, interleaved. json-rules-engine uses promises, so it is timed in separate rounds. */
import type { Rule, RuleSet } from '@plumbline/engine'
import {
  type BenchOptions,
  type BenchTable,
  type Contender,
  compare,
  comparisonRows,
  formatRate,
  median,
} from '../harness.js'
import type { Entity } from './entities.js'
import { check as handWritten } from './hand-written.js'
import { ajvPeer } from './peers/ajv.js'
import { celPeer } from './peers/cel.js'
import { measureCedar, type Workload as WorkloadName } from './peers/isolated.js'
import { jsonLogicPeers } from './peers/json-logic.js'
import { jsonRulesEnginePeer } from './peers/json-rules-engine.js'
import type { Failed, Peer } from './peers/peer.js'
import { plainReads } from './plain-reads.js'
import type { StandaloneCheck } from './standalone.js'

interface Workload {
  readonly rules: readonly Rule[]
  readonly ruleSet: RuleSet
  readonly standalone: StandaloneCheck | null
  readonly entities: readonly Entity[]
  /** Name of the workload if peers are measured too; null without peers. */
  readonly peersOn: WorkloadName | null
}

/** Entities per turn. It is small, so that the turn of a slow peer is not much longer than a round. */
const TURN = 64

/** Results are added here, so that the compiler cannot remove the work of a contender. */
let sink = 0

export async function comparisonTable(title: string, workload: Workload, options: BenchOptions): Promise<BenchTable> {
  const { rules, ruleSet, standalone, entities } = workload
  const peers = workload.peersOn ? [...jsonLogicPeers(rules), ajvPeer(rules), celPeer(rules)] : []
  const promised = workload.peersOn ? [jsonRulesEnginePeer(rules)] : []
  const failures = await verify([...peers, ...promised], workload)
  const isolated = workload.peersOn ? await measureCedar(workload.peersOn, options) : null
  if (isolated) agree(isolated.name, entities, isolated.ids, ruleSet)

  const plain = await plainReads()
  const plainBrief = await plainReads(true)
  const contenders: Contender[] = [
    turns('hand-written, own-property reads', entities, (entity) => handWritten(entity).length),
    turns('hand-written, plain reads', entities, (entity) => plain(entity).length),
    turns('hand-written, plain reads, three fields', entities, (entity) => plainBrief(entity).length),
    turns('**Plumbline**, full result', entities, (entity) => ruleSet.evaluate(entity).violations.length),
    turns(
      "**Plumbline**, `detail: 'brief'`",
      entities,
      (entity) => ruleSet.evaluate(entity, { detail: 'brief' }).violations.length,
    ),
    ...(standalone
      ? [turns('Plumbline standalone module', entities, (entity) => standalone(entity).violations.length)]
      : []),
    ...peers.map((peer) => {
      const prepared = entities.map((entity) => peer.prepare?.(entity) ?? entity)
      return turns(peer.name, prepared, (entity) => (peer.check(entity) as readonly Failed[]).length)
    }),
  ]
  const measured = compare(contenders, options)
  if (!Number.isFinite(sink)) throw new Error('a contender returned something that is not a number of failures')
  const limit = measured[0]?.perSecond ?? Number.NaN
  const rows = comparisonRows(measured)
  for (const peer of promised) {
    const perSecond = await promisedRate(peer, entities, options)
    rows.push([peer.name, formatRate(perSecond), (perSecond / limit).toPrecision(3)])
  }
  if (isolated) {
    rows.push([isolated.name, formatRate(isolated.perSecond), (isolated.perSecond / limit).toPrecision(3)])
  }
  const notes = isolated ? [`${isolated.name}, in a process of its own: ${isolated.note}.`] : []
  return {
    title,
    unit: 'entities/s, one thread',
    columns: ['contender', 'entities/s', 'of hand-written'],
    rows,
    note: [
      `${(failures / entities.length).toFixed(1)} violations an entity; every contender names the same failed rules.`,
      'Plumbline returns full violations (14 fields, with expected and actual values, bounded and redacted) and the summary;',
      'hand-written code and peers return id, severity, field and message; cedar-wasm can return ids alone.',
      'Hand-written code and peers use the backtracking `RegExp`; plain reads also find members of `Object.prototype`.',
      ...notes,
    ].join(' '),
  }
}

function turns<T>(name: string, entities: readonly T[], check: (entity: T) => number): Contender {
  let next = 0
  return {
    name,
    run() {
      for (let turn = 0; turn < TURN; turn++) {
        sink += check(entities[next] as T)
        next = next + 1 === entities.length ? 0 : next + 1
      }
      return TURN
    },
  }
}

/**
 * Checks that all contenders report the same failed rules as the engine, on all entities. Returns the number of failed
 * rules.
 */
async function verify(peers: readonly Peer[], { ruleSet, standalone, entities }: Workload): Promise<number> {
  const all = (ids: (entity: Entity) => readonly string[]) => entities.map(ids)
  agree(
    'hand-written',
    entities,
    all((entity) => handWritten(entity).map(({ ruleId }) => ruleId)),
    ruleSet,
  )
  if (standalone) {
    agree(
      'standalone',
      entities,
      all((entity) => standalone(entity).violations.map(({ ruleId }) => ruleId)),
      ruleSet,
    )
  }
  for (const peer of peers) {
    const ids: (readonly string[])[] = []
    for (const entity of entities)
      ids.push((await peer.check(peer.prepare?.(entity) ?? entity)).map(({ ruleId }) => ruleId))
    agree(peer.name, entities, ids, ruleSet)
  }
  return entities.reduce((sum, entity) => sum + ruleSet.evaluate(entity).violations.length, 0)
}

function agree(
  name: string,
  entities: readonly Entity[],
  answers: readonly (readonly string[])[],
  ruleSet: RuleSet,
): void {
  const sorted = (ids: readonly string[]) => [...ids].sort().join(', ')
  entities.forEach((entity, index) => {
    const [own, theirs] = [ruleSet.evaluate(entity).violations.map(({ ruleId }) => ruleId), answers[index] ?? []]
    if (sorted(own) !== sorted(theirs)) {
      throw new Error(`${name} disagrees on ${String(entity.name)}: ${sorted(theirs)} instead of ${sorted(own)}`)
    }
  })
}

async function promisedRate(peer: Peer, entities: readonly Entity[], options: BenchOptions): Promise<number> {
  const rates: number[] = []
  const [rounds, roundMs] = options.quick ? [2, 20] : [6, 250]
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    let count = 0
    while (performance.now() - start < roundMs) {
      sink += (await peer.check(entities[count++ % entities.length])).length
    }
    rates.push((count * 1000) / (performance.now() - start))
  }
  return median(rates.slice(1))
}
