/**
 * Bugs that billing must not have, planted one at a time: with each of them a part of this proof must fail, which passes at the same
 * size and seed without it. Local times are tried where clocks are put back.
 */
import { spawn } from 'node:child_process'
import { bundle, type Planted } from '../bundle.js'
import type { Engine } from '../world/database.js'

interface Bug {
  readonly name: string
  readonly planted: readonly Planted[]
  /** The part that must find it, and its size. */
  readonly part: string
  readonly size: number
  readonly engine?: Engine
  readonly env?: Readonly<Record<string, string>>
}

const one = (file: string, find: string, put: string): readonly Planted[] => [{ file, find, put }]
const BILLING = 'server/src/billing'

export const BUGS: readonly Bug[] = [
  {
    name: 'a delivery is known as done before its effect is committed',
    planted: one(
      `${BILLING}/webhook/handle.ts`,
      `      return await writeInTurn(settling, facts, async (writing, current) => {
        const effect = await applyFacts(writing, current)
        await endDelivery(writing, row, facts.kind === 'nothing' ? 'ignored' : 'done', effect)
        return { effect, about: aboutOf(current) }
      })
`,
      `      await settling.write((writing) => endDelivery(writing, row, 'done', 'known'))
      const effect = await writeInTurn(settling, facts, applyFacts)
      return { effect, about: aboutOf(facts) }
`,
    ),
    part: 'kills',
    size: 60,
  },
  {
    name: 'credit that an invoice used is counted with each delivery',
    planted: one(
      `${BILLING}/follow/invoice.ts`,
      'const dedupeKey = ledgerKey.invoice(id)\n',
      'const dedupeKey = ledgerKey.invoice(context.runtime.ids.next())\n',
    ),
    part: 'card',
    size: 300,
  },
  {
    name: 'an old state is applied',
    planted: [
      ...one(`${BILLING}/follow/observe.ts`, 'if (!seen.isEnded && seenAtMs < link.seenAtMs) return account', ''),
      ...one(
        `${BILLING}/webhook/handle.ts`,
        "if (event.createdAtMs < link.seenAtMs) return { kind: 'nothing', effect: 'ignored: older' }",
        '',
      ),
      ...one(
        `${BILLING}/webhook/handle.ts`,
        'if (event.createdAtMs > link.seenAtMs) return',
        'if (event.createdAtMs !== link.seenAtMs) return',
      ),
      ...one(
        `${BILLING}/webhook/handle.ts`,
        "if (at !== 'read' && !seen.isEnded && at < link.seenAtMs) return 'ignored: older'",
        '',
      ),
    ],
    part: 'histories',
    size: 300,
  },
  {
    name: 'a key is used again after a 500',
    planted: one(
      `${BILLING}/call/run.ts`,
      'const renewed = await settling.write((writing) => renewKey(writing, call))',
      'const renewed = call',
    ),
    part: 'faults',
    size: 60,
  },
  {
    name: 'credit is sent again after a day, and not looked for',
    planted: one(
      `${BILLING}/call/run.ts`,
      'const isOld = call.firstSentAtMs !== null && nowMs - call.firstSentAtMs >= READ_FIRST_MS',
      'const isOld = false && READ_FIRST_MS > nowMs',
    ),
    part: 'card',
    size: 400,
  },
  {
    name: 'a combo is a lower price and credit',
    planted: one(
      'billing-core/src/invoices/next.ts',
      'const drawn = drawInvoice([...priceLines(catalogue, holding), ...prorations], balance)',
      "const saved = grants.reduce((all, each) => (each.source === 'combo' ? all + each.cents : all), 0)\n  const lines = priceLines(catalogue, holding).map((line, n) => (n === 1 ? { ...line, cents: line.cents - saved } : line))\n  const drawn = drawInvoice([...lines, ...prorations] as never, balance)",
    ),
    part: 'steps',
    size: 1500,
  },
  {
    name: 'a part of a period is counted in local time',
    planted: one(
      'billing-core/src/proration/prorate.ts',
      'Math.floor(toMilliseconds(at) / 1_000)',
      'Math.floor(toMilliseconds(at) / 1_000) - 60 * new Date(toMilliseconds(at)).getTimezoneOffset()',
    ),
    part: 'steps',
    size: 1500,
    env: { TZ: 'America/New_York' },
  },
  {
    name: 'credit is debited before the report',
    planted: one(
      `${BILLING}/metering/report.ts`,
      'let isSilent = false\n',
      "let isSilent = false\n  if (!isLate && purchase !== null && hour.outstanding.length > 0) {\n    const results = hour.outstanding.map(({ dimension }) => ({ dimension, status: 'Success' as const }))\n    await settling.write((writing) => settleStored(writing, hour.id, { results }))\n  }\n",
    ),
    part: 'months',
    size: 60,
  },
  {
    name: 'a budget is read before it is written',
    planted: one(
      `${BILLING}/promotion/give.ts`,
      '  return (await reserveIn(tx, { promotionId, amount, grants })).length > 0\n',
      '  const { billingPromotions: t } = creditTables(tx)\n  const [read] = await tx.select().from(t).where(eq(t.id, promotionId))\n  if (read === undefined || read.spentCents + amount > read.budgetCents) return false\n  const next = { spentCents: read.spentCents + amount, grantsCount: read.grantsCount + grants }\n  await tx.update(t).set(next).where(eq(t.id, promotionId))\n  return true\n',
    ),
    part: 'races',
    size: 4,
    engine: 'postgres',
  },
  {
    name: 'a plan is granted before it is paid',
    planted: one(
      `${BILLING}/subscription/create.ts`,
      'await recordCreate(context, inserted, {})\n',
      "await recordCreate(context, inserted, {})\n    await entitleAccount(context, root, { ...subscription, status: 'active' })\n",
    ),
    part: 'card',
    size: 20,
  },
]

/** @throws Error that names the bugs that no part found, and parts that fail without any */
export async function proveBugs(only: string, seed: number): Promise<string> {
  const tried = BUGS.filter(({ name }) => name.includes(only))
  if (tried.length === 0) throw new Error(`no planted bug is named ${only}`)
  const sound = new Set<string>()
  const survived: string[] = []
  for (const bug of tried) {
    const run = JSON.stringify([bug.part, bug.size, bug.engine, bug.env])
    // What fails without a bug proves nothing.
    const without = sound.has(run) ? null : await failureOf({ ...bug, planted: [] }, seed)
    if (without !== null) throw new Error(`${bug.part} fails without a planted bug: ${without}`)
    sound.add(run)
    const found = await failureOf(bug, seed)
    const said = found === null ? '' : `: ${found.slice(0, 140)}`
    console.log(`${found === null ? 'SURVIVED' : 'found   '}  ${bug.name} (${bug.part})${said}`)
    if (found === null) survived.push(bug.name)
  }
  if (survived.length > 0) throw new Error(`nothing found ${survived.join(', ')}`)
  return `${tried.length} planted bugs, each found`
}

/** @returns what the part said; null where it passed. */
async function failureOf(bug: Bug, seed: number): Promise<string | null> {
  // Servers that a part starts are built with what is planted; the part itself is then as it is.
  if (bug.part === 'races') return failureOfRun([...process.execArgv, ...process.argv.slice(1, 2)], bug, seed)
  const built = await bundle('proof/billing/main.ts', undefined, bug.planted)
  try {
    return await failureOfRun([built.file], bug, seed)
  } finally {
    built.clean()
  }
}

async function failureOfRun(
  script: readonly string[],
  { planted, part, size, engine = 'sqlite', env = {} }: Bug,
  seed: number,
): Promise<string | null> {
  const args = [...script, `--${part}`, String(size), '--seed', String(seed), '--engine', engine]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env, PLUMBLINE_PLANTED: JSON.stringify(planted) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  return code === 0 ? null : (/Error: (.+)/.exec(said)?.[1] ?? `exit ${code}, ${said.slice(-200)}`)
}
