/**
 * Bugs planted one at a time in a copy of the package. Each must turn a proof or a unit test red; one that survives
 * means that a guarantee is not guarded. A patch that no longer applies fails too, so that the list cannot rot.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface PlantedBug {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** Which proof is expected to find it, or `tests` with a filter for the unit tests. */
  readonly by: { readonly proof: string } | { readonly tests: string }
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'percent in floating point',
    file: 'money/percent.ts',
    from: 'return cents(hundreds * points + (scaled - (scaled % 100)) / 100)',
    to: 'return cents(Math.floor((price * points + 50) / 100 + hundreds * 0 + scaled * 0))',
    by: { proof: 'percent' },
  },
  {
    name: 'half a cent rounded to even',
    file: 'money/percent.ts',
    from: 'return cents(hundreds * points + (scaled - (scaled % 100)) / 100)',
    to: 'return cents(hundreds * points + (scaled - (scaled % 100)) / 100 - (scaled % 200 === 100 ? 1 : 0))',
    by: { proof: 'percent' },
  },
  {
    name: 'half a cent rounded down',
    file: 'money/percent.ts',
    from: 'rest * points + 50',
    to: 'rest * points + 49',
    by: { proof: 'percent' },
  },
  {
    name: 'showback ties settled from the end',
    file: 'money/allocate.ts',
    from: 'a.index - b.index',
    to: 'b.index - a.index',
    by: { proof: 'allocation' },
  },
  {
    name: 'showback by smallest remainder',
    file: 'money/allocate.ts',
    from: 'a.remainder > b.remainder ? -1 : 1',
    to: 'a.remainder > b.remainder ? 1 : -1',
    by: { proof: 'allocation' },
  },
  {
    name: 'month rolls over instead of clamping',
    file: 'period/add-months.ts',
    from: 'Math.min(from.getUTCDate(), daysInMonth(year, monthOfYear))',
    to: 'from.getUTCDate()',
    by: { proof: 'periods' },
  },
  {
    name: 'every fourth year is a leap year',
    file: 'period/instant.ts',
    from: '(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0',
    to: 'year % 4 === 0',
    by: { proof: 'periods' },
  },
  {
    name: 'boundaries drift after a short month',
    file: 'period/period.ts',
    from: 'end: addMonths(anchor, (index + 1) * months)',
    to: 'end: addMonths(addMonths(anchor, index * months), months)',
    by: { proof: 'periods' },
  },
  {
    name: 'period key of the end',
    file: 'grants/roll.ts',
    from: 'subscription.periodStart <= last',
    to: 'subscription.periodStart < last',
    by: { tests: 'promotions' },
  },
  {
    name: 'combos packed greedily',
    file: 'combos/best-set.ts',
    from: 'if (heaviest(items, compatible) !== rest) continue',
    to: 'if (rest < 0) continue',
    by: { proof: 'combos' },
  },
  {
    name: 'combo ties go to the last ids',
    file: 'combos/best-set.ts',
    from: 'if (heaviest(items, compatible) !== rest) continue',
    to: 'if (heaviest(items, compatible) !== rest || heaviest(items, open) === best) continue',
    by: { proof: 'combos' },
  },
  {
    name: 'a member discounted twice',
    file: 'catalogue/lookup.ts',
    from: 'if (bit !== index && combo.members.some((member) => other.has(member.bundleId))) conflicts |= 1 << bit',
    to: 'if (bit === index - 1 && combo.members.some((member) => other.has(member.bundleId))) conflicts |= 1 << bit',
    by: { proof: 'combos' },
  },
  {
    name: 'a pair of combos keeps the lighter one',
    file: 'combos/best-set.ts',
    from: 'total += Math.max(weight(items, item), weight(items, rival))',
    to: 'total += weight(items, item)',
    by: { proof: 'combos' },
  },
  {
    name: 'newest credit is drained first',
    file: 'ledger/open-grants.ts',
    from: 'return a.facts.grantedAt < b.facts.grantedAt',
    to: 'return a.facts.grantedAt > b.facts.grantedAt',
    by: { proof: 'ledger' },
  },
  {
    name: 'drain in order of writing, not of granting',
    file: 'ledger/open-grants.ts',
    from: 'if (a.facts.grantedAt !== b.facts.grantedAt) return a.facts.grantedAt < b.facts.grantedAt',
    to: '',
    by: { proof: 'ledger' },
  },
  {
    name: 'clawback takes other credit',
    file: 'ledger/reverse.ts',
    from: 'Math.min(entry.remaining, available(book, account))',
    to: 'Math.min(entry.facts.cents, available(book, account))',
    by: { proof: 'ledger' },
  },
  {
    name: 'clawback ignores what is held',
    file: 'ledger/reverse.ts',
    from: 'Math.min(entry.remaining, available(book, account))',
    to: 'Math.min(entry.remaining, account.balance)',
    by: { proof: 'ledger' },
  },
  {
    name: 'a grant is clawed back twice',
    file: 'ledger/reverse.ts',
    from: 'if (entry.isReversed) {',
    to: 'if (entry.isReversed && entry.remaining === 0 && entry.reversed < 0) {',
    by: { proof: 'ledger' },
  },
  {
    name: 'dedupe keys forgotten',
    file: 'ledger/outcome.ts',
    from: 'if (entryOf(book, dedupeKey) !== undefined) {',
    to: 'if (entryOf(book, dedupeKey)?.isReversed === false) {',
    by: { proof: 'ledger' },
  },
  {
    name: 'held credit is spent',
    file: 'ledger/outcome.ts',
    from: 'return account.balance - (account.held - mine)',
    to: 'return account.balance - mine * 0',
    by: { proof: 'ledger' },
  },
  {
    name: 'a hold is not released when settled',
    file: 'ledger/consume.ts',
    from: '{ release: command.holdKey }',
    to: 'null',
    by: { proof: 'ledger' },
  },
  {
    name: 'a stale outcome applies',
    file: 'ledger/book.ts',
    from: 'outcome.version !== book.version ||',
    to: '',
    by: { proof: 'ledger' },
  },
  {
    name: 'a refused push keeps the credit',
    file: 'ledger/reverse.ts',
    from: 'if (entry !== undefined && entry.fulfillmentRef !== null) {',
    to: 'if (entry !== undefined && entry.fulfillmentRef === null) {',
    by: { proof: 'ledger' },
  },
  {
    name: 'sequence numbers start at zero',
    file: 'ledger/outcome.ts',
    from: 'seq: account.lastSeq + 1',
    to: 'seq: account.lastSeq',
    by: { proof: 'ledger' },
  },
  {
    name: 'replay trusts the stored columns',
    file: 'ledger/replay.ts',
    from: 'if (row.remainingCents !== entry.remaining) {',
    to: 'if (row.remainingCents !== row.remainingCents) {',
    by: { tests: 'ledger' },
  },
  {
    name: 'the budget is read before it is written',
    file: 'promotions/reserve.ts',
    from: 'spentCents: add(promotion.spentCents, amount)',
    to: 'spentCents: promotion.spentCents',
    by: { proof: 'promotions' },
  },
  {
    name: 'the budget may be exceeded by one grant',
    file: 'promotions/reserve.ts',
    from: 'amount <= subtractToZero(promotion.budgetCents, promotion.spentCents)',
    to: 'promotion.spentCents < promotion.budgetCents',
    by: { proof: 'promotions' },
  },
  {
    name: 'one grant too many',
    file: 'promotions/reserve.ts',
    from: 'promotion.grantsCount < promotion.maxGrants',
    to: 'promotion.grantsCount <= promotion.maxGrants',
    by: { proof: 'promotions' },
  },
  {
    name: 'the cap of one account is ignored',
    file: 'promotions/reserve.ts',
    from: 'if (cap === undefined || resolved.cents <= cap) return resolved',
    to: 'if (cap === undefined || resolved.cents > cap) return resolved',
    by: { proof: 'ledger' },
  },
  {
    name: 'a clawback releases the whole grant to the budget',
    file: 'promotions/reserve.ts',
    from: 'isWhole ? Math.max(0, promotion.grantsCount - 1) : promotion.grantsCount',
    to: 'Math.max(0, promotion.grantsCount - 1)',
    by: { proof: 'ledger' },
  },
  {
    name: 'one redemption too many',
    file: 'discounts/redeem.ts',
    from: 'discount.timesRedeemed < discount.maxRedemptions',
    to: 'discount.timesRedeemed <= discount.maxRedemptions',
    by: { proof: 'ledger' },
  },
  {
    name: 'a discount expires at its last instant',
    file: 'discounts/redeem.ts',
    from: 'discount.redeemBy >= context.now',
    to: 'discount.redeemBy > context.now',
    by: { tests: 'discounts' },
  },
  {
    name: 'prune before the requirement is known',
    file: 'addons/prune.ts',
    from: 'cascade(catalogue, to, survivors, steps)',
    to: 'cascade(catalogue, from, addons, steps)',
    by: { tests: 'limits-addons' },
  },
  {
    name: 'included features do not prune',
    file: 'addons/prune.ts',
    from: 'if (grantsNothing && bundle.features.length > 0 && included)',
    to: 'if (grantsNothing && bundle.features.length > 9 && included)',
    by: { tests: 'limits-addons' },
  },
  {
    name: 'an add-on shrinks an unlimited limit',
    file: 'limits/effective.ts',
    from: 'if (base === -1) return -1',
    to: '',
    by: { tests: 'limits-addons' },
  },
  {
    name: 'half a unit withheld',
    file: 'metering/plan.ts',
    from: '(left - (left % priceCents)) / priceCents',
    to: 'Math.round(left / priceCents)',
    by: { proof: 'metering' },
  },
  {
    name: 'a crash gives the withheld units away',
    file: 'metering/hour.ts',
    from: 'if (hour.plan.isDryRun || hour.plan.consumedCents === 0) return accept({ hour: settled, outcome: null, warnings: [] })',
    to: 'if (hour.plan.consumedCents >= 0) return accept({ hour: settled, outcome: null, warnings: [] })',
    by: { proof: 'metering' },
  },
  {
    name: 'an hour lapses at its end',
    file: 'metering/hour.ts',
    from: 'now < lapsesAt(hour.hour)',
    to: 'hourKey(now) === hour.hour',
    by: { proof: 'metering' },
  },
  {
    name: 'a month is reported after it closed',
    file: 'metering/hour.ts',
    from: '  if (latest < monthsLatest) return latest\n  return monthsLatest',
    to: '  return monthsLatest > latest ? latest : latest',
    by: { proof: 'metering' },
  },
  {
    name: 'a refused record settles',
    file: 'metering/hour.ts',
    from: 'if (answered.refused.length > 0) return endUnpaid',
    to: 'if (answered.refused.length > 99) return endUnpaid',
    by: { tests: 'providers-metering' },
  },
  {
    name: 'a resumed ledger takes what it was not told for nothing',
    file: 'ledger/book.ts',
    from: 'if (entry === undefined && book.asked !== null && !book.asked.keys.has(dedupeKey)) {',
    to: 'if (entry !== undefined && book.asked !== null && !book.asked.keys.has(dedupeKey) && entry.facts.seq < 0) {',
    by: { tests: 'ledger' },
  },
  {
    name: 'a resumed ledger counts from its open grants',
    file: 'ledger/resume.ts',
    from: 'account.lastSeq = stored.lastSeq',
    to: 'account.lastSeq = highest',
    by: { proof: 'ledger' },
  },
  {
    name: 'a resumed ledger forgets what is held',
    file: 'ledger/resume.ts',
    from: 'if (hold.subscriptionId === account.subscriptionId) account.held += hold.cents',
    to: 'if (hold.subscriptionId === account.subscriptionId) account.held += hold.cents * 0',
    by: { proof: 'ledger' },
  },
  {
    name: 'a proration rounds down',
    file: 'money/fraction.ts',
    from: 'BigInt(numerator) + whole) / (2n * whole)',
    to: 'BigInt(numerator)) / (2n * whole)',
    by: { proof: 'prorations' },
  },
  {
    name: 'a proration counts a second too many',
    file: 'proration/prorate.ts',
    from: 'const part = (line: PriceLine): Cents => fractionOf(line.cents, secondsLeft, secondsTotal)',
    to: 'const part = (line: PriceLine): Cents => fractionOf(line.cents, Math.min(secondsTotal, secondsLeft + 1), secondsTotal)',
    by: { proof: 'prorations' },
  },
  {
    name: 'a combo is a line and credit',
    file: 'quote/quote.ts',
    from: 'input.creditBalanceCents === undefined ? packing.combos : []',
    to: 'input.creditBalanceCents === undefined ? packing.combos : packing.combos',
    by: { tests: 'limits-addons' },
  },
  {
    name: 'the next invoice forgets the grants of its roll',
    file: 'invoices/next.ts',
    from: 'add(availableCents, sum(roll.grants.map((grant) => grant.cents)))',
    to: 'add(availableCents, sum([]))',
    by: { proof: 'invoices' },
  },
  {
    name: 'a proration that gives back is lost',
    file: 'invoices/next.ts',
    from: 'net < 0 ? cents(0 - net) : ZERO',
    to: 'net < 0 ? ZERO : ZERO',
    by: { proof: 'invoices' },
  },
  {
    name: 'a failure told twice counts twice',
    file: 'subscription/transition.ts',
    from: "if (state.status === 'canceled' || isCounted) return accept(unchanged(state))",
    to: "if (state.status === 'canceled') return accept(unchanged(state))",
    by: { tests: 'subscription' },
  },
  {
    name: 'a trial without a payment method goes on',
    file: 'subscription/transition.ts',
    from: "if (!hasPaymentMethod) return end(state, now, 'trial_ended')",
    to: '',
    by: { tests: 'subscription' },
  },
  {
    name: 'a dimension reported twice',
    file: 'metering/plan.ts',
    from: 'const line = merged.get(dimension)',
    to: 'const line = merged.get(bundleId)',
    by: { tests: 'providers-metering' },
  },
  {
    name: 'tokens not bound to their version',
    file: 'tokens/seal.ts',
    from: 'encodeUtf8(`plumbline-discount-token|v',
    to: 'encodeUtf8(`plumbline-discount-token|v0` || `',
    by: { proof: 'tokens' },
  },
  {
    name: 'lenient base64url',
    file: 'text/base64.ts',
    from: 'return (held & ((1 << bits) - 1)) === 0 ? bytes : null',
    to: 'return bytes',
    by: { proof: 'tokens' },
  },
  {
    name: 'the last key seals instead of the highest',
    file: 'tokens/key-ring.ts',
    from: 'Math.max(...keys.keys())',
    to: 'Math.min(...keys.keys())',
    by: { proof: 'tokens' },
  },
  {
    name: 'a period roll grants promotions beyond their budget',
    file: 'grants/roll.ts',
    from: 'if (!fits) return []',
    to: '',
    by: { tests: 'promotions' },
  },
  {
    name: 'a receiver without a clock accepts every signature',
    file: 'providers/signature.ts',
    from: '!(Math.abs(delivery.nowSeconds - parsed.seconds) <= tolerance)',
    to: 'Math.abs(delivery.nowSeconds - parsed.seconds) > tolerance',
    by: { tests: 'providers-metering' },
  },
  {
    name: 'a year begins at the old anchor, within months that are paid',
    file: 'subscription/transition.ts',
    from: 'if (start >= state.currentPeriodEnd) return { start, end, anchor',
    to: 'if (start >= state.periodAnchor) return { start, end, anchor',
    by: { tests: 'subscription' },
  },
  {
    name: 'a refused push stays pending',
    file: 'ledger/book.ts',
    from: "if (isPending(entry) && update.state !== 'pending')",
    to: "if (isPending(entry) && update.state === 'posted')",
    by: { tests: 'ledger' },
  },
  {
    name: 'a signature is good for ever',
    file: 'providers/signature.ts',
    from: '!(Math.abs(delivery.nowSeconds - parsed.seconds) <= tolerance)',
    to: 'delivery.nowSeconds - parsed.seconds < -tolerance',
    by: { tests: 'providers-metering' },
  },
  {
    name: 'a canceled subscription is revived by a late event',
    file: 'subscription/transition.ts',
    from: "if (state.status === 'canceled') return unchanged(state)\n  switch (status)",
    to: 'switch (status)',
    by: { tests: 'subscription' },
  },
]

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** True when every bug was found. Prints one line a bug. */
export function findPlantedBugs(): boolean {
  const workspace = mkdtempSync(join(tmpdir(), 'planted-'))
  const copy = join(workspace, 'packages', 'billing-core')
  mkdirSync(copy, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(workspace, 'node_modules'))
  for (const file of ['tsconfig.json', 'tsconfig.base.json', 'vitest.workspace.ts', 'package.json']) {
    cpSync(join(root, file), join(workspace, file))
  }
  for (const entry of ['src', 'test', 'proof', 'package.json', 'tsconfig.json']) {
    cpSync(join(packageFolder, entry), join(copy, entry), { recursive: true })
  }
  // What every suite of the repository sets up with.
  cpSync(join(root, 'scripts', 'test'), join(workspace, 'scripts', 'test'), { recursive: true })
  mkdirSync(join(workspace, 'docs'))
  cpSync(join(root, 'docs', 'reference'), join(workspace, 'docs', 'reference'), { recursive: true })
  try {
    const survivors = plantedBugs.filter((bug) => !isFound(bug, workspace, copy))
    console.log(`${plantedBugs.length - survivors.length} of ${plantedBugs.length} planted bugs found`)
    return survivors.length === 0
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

function isFound(bug: PlantedBug, workspace: string, copy: string): boolean {
  const file = join(copy, 'src', bug.file)
  const source = readFileSync(file, 'utf8')
  if (source.split(bug.from).length !== 2) {
    console.log(`STALE ${bug.name}: \`${bug.from}\` stands ${source.split(bug.from).length - 1} times in ${bug.file}`)
    return false
  }
  writeFileSync(
    file,
    source.replace(bug.from, () => bug.to),
  )
  try {
    const found = 'proof' in bug.by ? runProof(bug.by.proof, workspace, copy) : runTests(bug.by.tests, workspace)
    console.log(
      `${found ? 'found' : 'ALIVE'} ${bug.name} (${'proof' in bug.by ? bug.by.proof : `${bug.by.tests} tests`})`,
    )
    return found
  } finally {
    writeFileSync(file, source)
  }
}

/** Red by a failed proof, not by a patch that does not load: exit 1 is a finding, anything else is reported. */
function runProof(name: string, workspace: string, copy: string): boolean {
  const tsx = join(root, 'node_modules', '.bin', 'tsx')
  const sizes = ['--only', name, '--ops', '6000', '--catalogues', '1500', '--seed', '7']
  const result = spawnSync(tsx, [join(copy, 'proof', 'main.ts'), ...sizes], { cwd: workspace, encoding: 'utf8' })
  const found = result.status === 1 && result.stdout.startsWith('FAIL')
  if (!found && result.status !== 0) complain(result.stderr)
  return found
}

function runTests(filter: string, workspace: string): boolean {
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const args = ['run', '--config', 'vitest.workspace.ts', '--project', 'billing-core', '--maxWorkers=1', filter]
  const env = { ...process.env, NO_COLOR: '1' }
  const result = spawnSync(vitest, args, { cwd: workspace, encoding: 'utf8', env })
  const found = result.status !== 0 && /Tests\s+.*failed/.test(result.stdout)
  if (!found && result.status !== 0) complain(result.stderr)
  return found
}

function complain(stderr: string | null): void {
  console.log(`the run itself failed: ${(stderr ?? '').trim().split('\n').slice(0, 4).join(' | ')}`)
}
