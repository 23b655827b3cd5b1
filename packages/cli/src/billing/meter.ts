/** `plumbline billing meter --dry-run`: the plan of one hour, for one account or several. Sends nothing. */
import {
  type Catalogue,
  formatCents,
  loadBillingSettings,
  loadCatalogue,
  type MeteringPlan,
  parseAddons,
  parseCents,
  planMetering,
  renderSteps,
} from '@plumbline/billing-core'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { printData } from '../program/print-data.js'
import { argument, isRecord, isSet, parseJsonText, readInput, readSettings, take, takeLoaded } from './input.js'
import { renderTable } from './table.js'

interface MeteredAccount {
  readonly name: string
  readonly plan: MeteringPlan
}

export const run: CommandRun = async (invocation, io) => {
  if (!isSet(invocation, 'dryRun')) {
    throw new UsageError('--dry-run is required', 'the server meters; this command shows what it would report')
  }
  const path = argument(invocation, 'file')
  const values = await readSettings(invocation, io)
  const catalogue = takeLoaded(loadCatalogue(values), io)
  // This command reads only the maps, so a mistake in another setting does not stop it.
  const maps = Object.fromEntries(
    Object.entries(values).filter(([name]) => /^MARKETPLACE_(BUNDLE_DIMENSION|DIMENSION_PRICE)_MAP$/.test(name)),
  )
  const { marketplace } = takeLoaded(loadBillingSettings(maps, catalogue), io)
  const content = parseJsonText(await readInput(path, io), path)
  const entries: readonly unknown[] = Array.isArray(content) ? content : [content]
  const accounts = entries.map((entry, index): MeteredAccount => {
    const where = Array.isArray(content) ? `[${index}].` : ''
    return readAccount(entry, where, index, catalogue, marketplace.bundleDimensions, marketplace.prices)
  })
  const list = accounts.map(({ name, plan }) => ({ account: name, ...plan }))
  const texts = accounts.map(({ name, plan }) => describe(name, plan, isSet(invocation, 'explain')))
  await printData(invocation, io, Array.isArray(content) ? list : list[0], () => `${texts.join('\n\n')}\n`)
  return ExitCode.clean
}

function readAccount(
  entry: unknown,
  where: string,
  index: number,
  catalogue: Catalogue,
  dimensions: Parameters<typeof planMetering>[1]['dimensions'],
  prices: Parameters<typeof planMetering>[1]['prices'],
): MeteredAccount {
  if (!isRecord(entry)) throw new UsageError(`VALIDATION_ERROR at ${where || 'file'}: must be {addons, creditCents}`)
  const addons = take(parseAddons(catalogue, entry.addons, `${where}addons`))
  const creditCents = take(parseCents(entry.creditCents ?? 0, `${where}creditCents`))
  const name = typeof entry.account === 'string' ? entry.account : `account ${index + 1}`
  // The plan of a live run. What a shadow run would report is the column `units`.
  return { name, plan: planMetering(catalogue, { addons, dimensions, prices, creditCents }) }
}

function describe(name: string, plan: MeteringPlan, explain: boolean): string {
  const rows = plan.lines.map((line) => [
    line.dimension,
    String(line.units),
    line.priceCents === null ? 'none' : formatCents(line.priceCents),
    String(line.withheldUnits),
    formatCents(line.withheldCents),
    String(line.reportedUnits),
  ])
  const table = renderTable(
    [
      { title: 'dimension' },
      { title: 'units', align: 'right' },
      { title: 'price', align: 'right' },
      { title: 'withheld', align: 'right' },
      { title: 'value', align: 'right' },
      { title: 'reported', align: 'right' },
    ],
    rows,
  )
  const credit = `credit ${formatCents(plan.creditCents)}, used ${formatCents(plan.consumedCents)}, left ${formatCents(plan.remainingCents)}`
  const warning = plan.isUnrealizable ? '\nwarning: none of the credit can be used' : ''
  return `${name}\n${table}\n${credit}${warning}${explain ? `\n\n${renderSteps(plan.steps)}` : ''}`
}
