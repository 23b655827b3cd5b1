/**
 * One answer wherever a rule is judged: the page while somebody types, the server that counts, and a scan that records it.
 * Random rules, wrong ones among them, over generated records; each answer is compared entity by entity.
 */
import { previewImpact, type Rule } from '@plumbline/engine'
import { condition } from '../../../engine/proof/generate/conditions.js'
import { Random } from '../../../engine/proof/random.js'
import { judge } from '../../src/judge/judge.js'

export type Api = <T = Record<string, never>>(method: string, path: string, body?: unknown) => Promise<T>

interface Entity {
  readonly id: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}
interface Counted {
  readonly total: number
  readonly wouldPass: number
  readonly wouldFail: number
  readonly samples: readonly { readonly entityId: string }[]
}

interface Compared {
  readonly rules: number
  /** Refused by the page and by the server alike. */
  readonly refused: number
  /** Whose hits some entities are, and others not. */
  readonly telling: number
  readonly scanned: number
  readonly differences: readonly string[]
}

const TARGET = 'pipeline'
/** A scan judges all rules of the organization, so each is taken away after its own. */
const SCAN_EVERY = 50

export async function inventoryOf(api: Api, size: number, seed: number): Promise<readonly Entity[]> {
  const random = new Random(seed)
  const words = ['web', 'core', 'prod', 'Prod', 'édit', 'a.b', 'x-1', '7'] as const
  const some = () => Array.from({ length: random.below(4) }, () => random.pick(words))
  for (let at = 0; at < size; at++) {
    await api('POST', '/pipelines', {
      project: `p${at}`,
      organization: random.pick(['acme', 'beta']),
      pipelineName: `${random.pick(words)}-${at}`,
      description: random.pick(['', 'Ships it', 'Prüft es', 'x'.repeat(40)]),
      keywords: [...new Set(some())],
      lifecycle: random.pick(['experimental', 'production', 'deprecated']),
      labels: Object.fromEntries(some().map((each) => [each.replace(/\W/g, '_'), random.pick([1, true, 'yes', 2.5])])),
      props: {
        synth: { source: { type: 'github', options: { repo: `acme/${at}` } }, plugin: { name: random.pick(words) } },
      },
    })
  }
  const { entities } = await api<{ entities: Entity[] }>('GET', `/compliance/inventory?target=${TARGET}&limit=1000`)
  return entities
}

export async function compare(api: Api, entities: readonly Entity[], rules: number, seed: number): Promise<Compared> {
  const inventory = entities.map(({ id, name, attributes }) => ({ id, name, target: TARGET as 'pipeline', attributes }))
  const found = { rules, refused: 0, telling: 0, scanned: 0, differences: [] as string[] }
  for (let at = 0; at < rules; at++) {
    const random = new Random(seed, at)
    const rule = ruleOf(random, inventory[random.below(inventory.length)]?.attributes ?? {}, at)
    const own = judge({ id: at, rule }, inventory)
    const asked = await api<Counted>('POST', '/compliance/subscriptions/preview/impact', { rule }).catch(
      (error: Error) => error.message,
    )
    const differs = (what: string) =>
      found.differences.push(`seed ${seed}, rule ${at}: ${what}; ${JSON.stringify(rule)}`)
    if (own.issues.length > 0 || typeof asked === 'string') {
      const isBoth =
        own.issues.length > 0 && typeof asked === 'string' && /VALIDATION_ERROR|MISSING_REQUIRED/.test(asked)
      if (isBoth) found.refused += 1
      else differs(`page ${JSON.stringify(own.issues)}, server ${JSON.stringify(asked).slice(0, 300)}`)
      continue
    }
    const { total, wouldPass, wouldFail, samples } = own.impact ?? asked
    if (wouldPass > 0 && wouldFail > 0) found.telling += 1
    const page = [total, wouldPass, wouldFail, ...samples.map(({ entityId }) => entityId)].join()
    const server = [
      asked.total,
      asked.wouldPass,
      asked.wouldFail,
      ...asked.samples.slice(0, samples.length).map((each) => each.entityId),
    ].join()
    if (page !== server) differs(`page ${page}, server ${server}`)
    if (at % SCAN_EVERY > 0) continue
    const [all] = previewImpact([{ id: 'r', ...rule } as unknown as Rule], inventory, { maxSamples: inventory.length })
    const failing = (all?.samples ?? []).map(({ entityId }) => entityId).sort()
    const scanned = await failingInScan(api, rule)
    found.scanned += 1
    if (failing.join() !== scanned.join()) differs(`page ${failing.join()}, scan ${scanned.join()}`)
  }
  return found
}

/** The server refuses this key in a body before it looks at the rule, and no record has it. */
const isUnsendable = (rule: object): boolean => JSON.stringify(rule).includes('"__proto__"')

function ruleOf(random: Random, attributes: Readonly<Record<string, unknown>>, at: number): Record<string, unknown> {
  for (;;) {
    const rule = anyRuleOf(random, attributes, at)
    if (!isUnsendable(rule)) return rule
  }
}

function anyRuleOf(random: Random, attributes: Readonly<Record<string, unknown>>, at: number): Record<string, unknown> {
  const one = () => condition(random, attributes as Record<string, unknown>) as unknown as Record<string, unknown>
  const base = {
    name: `rule ${at}`,
    target: TARGET,
    severity: random.pick(['warning', 'error', 'critical']),
    mode: 'observe',
  }
  if (random.chance(60)) return { ...base, ...one() }
  const conditions = Array.from({ length: 1 + random.below(3) }, one)
  return { ...base, conditions, conditionMode: random.pick(['all', 'any']) }
}

async function failingInScan(api: Api, rule: object): Promise<string[]> {
  const { rule: stored } = await api<{ rule: { id: string } }>('POST', '/compliance/rules', rule)
  const { scan } = await api<{ scan: { id: string } }>('POST', '/compliance/scans', { target: TARGET })
  for (;;) {
    const { scan: now } = await api<{ scan: { status: string } }>('GET', `/compliance/scans/${scan.id}`)
    if (now.status === 'completed') break
    if (now.status !== 'pending' && now.status !== 'running') throw new Error(`the scan is ${now.status}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { entries } = await api<{ entries: { entityId: string; observed: { ruleId: string }[] }[] }>(
    'GET',
    `/compliance/audit?scanId=${scan.id}&limit=1000`,
  )
  await api('DELETE', `/compliance/rules/${stored.id}`)
  return entries
    .filter(({ observed }) => observed.some(({ ruleId }) => ruleId === stored.id))
    .map(({ entityId }) => entityId)
    .sort()
}
