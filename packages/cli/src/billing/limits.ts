/** `plumbline billing limits`: effective limits, and how each one adds up. */
import { effectiveLimits, isTier, type LimitField, renderSteps, type Step } from '@plumbline/billing-core'
import { type CommandRun, ExitCode } from '../command.js'
import { printData } from '../program/print-data.js'
import { warnAboutAddons } from './addon-warnings.js'
import { isSet, readAddons, readCatalogue, requiredOption } from './input.js'
import { renderTable } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const tier = requiredOption(invocation, 'tier', 'give --tier developer, pro, team, enterprise or unlimited')
  if (!isTier(tier)) throw new TypeError(`the parser let tier ${tier} through`)
  const catalogue = await readCatalogue(invocation, io)
  const addons = readAddons(invocation, catalogue)
  warnAboutAddons(catalogue, tier, addons, io)
  const result = effectiveLimits(catalogue, tier, addons)
  await printData(invocation, io, result, () => limitsText(result, isSet(invocation, 'explain')))
  return ExitCode.clean
}

function limitsText(result: ReturnType<typeof effectiveLimits>, isExplained: boolean): string {
  const rows = result.steps.filter((step) => step.kind === 'limit').map(toRow)
  const features = result.features.length === 0 ? 'none' : result.features.join(', ')
  const table = renderTable([{ title: 'limit' }, { title: 'value', align: 'right' }, { title: 'how' }], rows)
  const steps = isExplained ? `\n${renderSteps(result.steps)}\n` : ''
  return `${table}\n\nfeatures: ${features}\n${steps}`
}

function toRow(step: Extract<Step, { kind: 'limit' }>): readonly string[] {
  const { field, tier, base, addends, total } = step
  const terms = addends.map(({ bundleId, quantity, amount }) => ` + ${quantity} × ${show(field, amount)} ${bundleId}`)
  return [field, show(field, total), base === -1 ? tier : `${show(field, base)} ${tier}${terms.join('')}`]
}

const GIB = 1024 ** 3

function show(field: LimitField, value: number): string {
  if (value === -1) return 'unlimited'
  if (field === 'storageBytes' && value % GIB === 0) return `${(value / GIB).toLocaleString('en-US')} GiB`
  return value.toLocaleString('en-US')
}
