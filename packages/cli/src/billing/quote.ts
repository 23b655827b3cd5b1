/** `plumbline billing quote`: what a period costs, line by line. */
import {
  add,
  cents,
  findPlan,
  formatCents,
  isSoldTier,
  pack,
  parseDiscount,
  parseInterval,
  quote,
  renderSteps,
  resolveValue,
  type Step,
} from '@plumbline/billing-core'
import { type CommandRun, ExitCode } from '../command.js'
import { printData } from '../program/print-data.js'
import { warnAboutAddons } from './addon-warnings.js'
import {
  isSet,
  parseDollars,
  readAddons,
  readCatalogue,
  requiredOption,
  take,
  textOption,
  textOptions,
} from './input.js'
import { renderTable } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const planId = requiredOption(invocation, 'plan', 'give --plan developer, pro, team or enterprise')
  if (!isSoldTier(planId)) throw new TypeError(`the parser let plan ${planId} through`)
  const interval = take(parseInterval(textOption(invocation, 'interval') ?? 'monthly', '--interval'))
  const catalogue = await readCatalogue(invocation, io)
  const addons = readAddons(invocation, catalogue)
  warnAboutAddons(catalogue, planId, addons, io)
  const planPrice = findPlan(catalogue, planId)?.prices[interval] ?? cents(0)
  const credit = textOption(invocation, 'credit')
  const codes = textOptions(invocation, 'discount')
  let balance = credit === undefined ? cents(0) : parseDollars(credit, '--credit')
  const steps: Step[] = []
  for (const code of codes) {
    const resolved = resolveValue(take(parseDiscount(code, '--discount')), planPrice)
    balance = add(balance, resolved.cents)
    steps.push(
      { kind: 'note', text: `discount ${code} grants ${formatCents(resolved.cents)} of credit` },
      ...resolved.steps,
    )
  }
  // If there is credit, the savings of combos are credit as well: the grants of the period are added to the balance.
  const hasCredit = credit !== undefined || codes.length > 0
  for (const { name, savingCents } of hasCredit ? pack(catalogue, addons, interval).combos : []) {
    balance = add(balance, savingCents)
    steps.push({ kind: 'note', text: `combo ${name} grants ${formatCents(savingCents)} of credit` })
  }
  const result = quote(catalogue, {
    planId,
    interval,
    addons,
    ...(hasCredit ? { creditBalanceCents: balance } : {}),
  })
  const all = [...steps, ...result.steps]
  const rows = result.lines.map(({ label, quantity, cents: amount }) => [label, String(quantity), formatCents(amount)])
  rows.push([`Total ${interval}`, '', formatCents(result.totalCents)])
  if (balance > 0) rows.push(['Credit left', '', formatCents(result.creditRemainingCents)])
  const columns = [
    { title: 'line' },
    { title: 'quantity', align: 'right' },
    { title: 'amount', align: 'right' },
  ] as const
  const explained = isSet(invocation, 'explain') ? `\n${renderSteps(all)}\n` : ''
  await printData(invocation, io, { ...result, steps: all }, () => `${renderTable(columns, rows)}\n${explained}`)
  return ExitCode.clean
}
