/** Drafts that are wrong in any place, under rules that change: what is shown is what the server itself says of the body. */
import { draftFor } from '../../src/ai/fake/brain.js'
import { modelPort } from '../../src/ai/provider/model.js'
import type { ComplianceVerdict } from '../../src/runtime/records/compliance.js'
import { scripted } from '../../test/support/ai.js'
import { PASSES } from '../../test/support/plugins.js'
import type { Random } from '../world/random.js'
import { ask, settled, type World } from './world.js'

/** What takes the place of a value, or of a part of it. */
const VALUES: readonly unknown[] = [
  ...[null, '', ' ', 0, -1, 1e308, true, [], {}, 'x'.repeat(5000), '{{ secrets.TOKEN }}', '{{ pipeline.nothing }}'],
  ...['{{', '../../etc/passwd', 'AKIAIOSFODNN7EXAMPLE', '$(id)', '\u202e\u200b', '\u0000', 'secret:TOKEN', '__proto__'],
  ...['ghp_0123456789abcdefghijklmnopqrstuvwxyzAB', 'rate(1 day)', 'https://evil.example/x', 'staging', 'github'],
]
const NAMES = ['__proto__', 'constructor', 'extra', 'toJSON', 'compliance', 'body']

type Json = Record<string, unknown>

/** A draft with so many places changed; the same for the same random. */
export function hostileDraft(random: Random): string {
  const prompt = random.pick(['node tests', 'python deploy to prod', 'go with plugin scan nightly'])
  const draft = draftFor({ kind: 'pipeline', first: prompt, last: prompt, repairs: 0 })
  for (let n = random.below(4); n > 0; n--) change(draft, random)
  const text = JSON.stringify(draft)
  const how = random.below(20)
  if (how === 0) return text.slice(0, random.below(text.length))
  if (how === 1) return `${'['.repeat(30)}${text}${']'.repeat(30)}`
  if (how === 2) return text.replace('{', `{"${random.pick(NAMES)}":${JSON.stringify(random.pick(VALUES))},`)
  if (how === 3) return `\`\`\`json\n${text}\n\`\`\``
  return text
}

function change(draft: Json, random: Random): void {
  let at: Json = draft
  for (;;) {
    const keys = Object.keys(at)
    if (keys.length === 0) return
    const key = random.pick(keys)
    const below = at[key]
    if (typeof below === 'object' && below !== null && random.below(4) > 0) {
      at = below as Json
      continue
    }
    if (random.below(10) === 0) delete at[key]
    else at[key] = random.pick(VALUES)
    return
  }
}

const violation = { ruleId: 'r', ruleName: 'a rule', field: 'stages', message: 'is refused', severity: 'error' }

function verdictOf(random: Random): ComplianceVerdict {
  const how = random.below(3)
  if (how === 0) return PASSES
  const one = [violation] as unknown as ComplianceVerdict['violations']
  return how === 1
    ? { ...PASSES, passed: false, blocked: true, violations: one }
    : { ...PASSES, warnings: [{ ...violation, severity: 'warning' }] as unknown as ComplianceVerdict['warnings'] }
}

export interface HostileCounts {
  readonly drafts: number
  readonly shown: number
  readonly blocked: number
}

export async function proveHostile(world: World, count: number, random: Random): Promise<HostileCounts> {
  const { app, ada, fail } = world
  let [shown, blocked] = [0, 0]
  for (let n = 0; n < count; n++) {
    const name = `hostile draft ${n}`
    const text = hostileDraft(random)
    app.ports.set(modelPort, scripted({ fake: [text] }))
    const before = verdictOf(random)
    const now = verdictOf(random)
    // The rules change between the rounds: what counts is the verdict of the last one.
    let asked = 0
    app.rules.answer = () => (asked++ === 0 ? before : now)
    const { code, done } = await ask(world, '/pipelines/generate/stream', { prompt: 'any', provider: 'fake' }, name)
    const rules = asked === 1 ? before : now
    app.rules.answer = () => rules
    if (done === undefined) {
      if (code !== 'AI_OUTPUT_INVALID') fail(`${name}: ended as ${code}: ${text.slice(0, 300)}`)
      continue
    }
    shown += 1
    const verdict = await app.call('POST', '/pipelines/validate', { as: ada, body: done.body })
    const same = JSON.stringify(verdict.data?.compliance) === JSON.stringify(done.compliance)
    if (!same) fail(`${name}: done says ${JSON.stringify(done.compliance)}, validate ${JSON.stringify(verdict.body)}`)
    if (verdict.data?.issues?.length > 0) fail(`${name}: a draft with issues was shown`)
    if (done.compliance.blocked) blocked += 1
  }
  app.ports.set(modelPort, undefined)
  app.rules.answer = () => PASSES
  await settled(world, 'hostile drafts')
  return { drafts: count, shown, blocked }
}
