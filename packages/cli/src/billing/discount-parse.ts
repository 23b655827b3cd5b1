/** `plumbline billing discount parse`: explains an authoring form, within the ceilings of the deployment. */
import {
  checkCeilings,
  type DiscountKind,
  type DiscountValue,
  formatCents,
  loadBillingSettings,
  parseDiscount,
  printDiscount,
} from '@plumbline/billing-core'
import { type CommandRun, ExitCode } from '../command.js'
import { printData } from '../program/print-data.js'
import { argument, readSettings, take, takeLoaded } from './input.js'
import { renderTable } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const terms = take(parseDiscount(argument(invocation, 'code')))
  const settings = await readSettings(invocation, io)
  // This command reads only the ceilings, so a mistake in another setting does not stop it.
  const ceilings = Object.fromEntries(
    Object.entries(settings).filter(([name]) => name.startsWith('BILLING_DISCOUNT_MAX_')),
  )
  const { discountMaxPercent: maxPercent, discountMaxCents: maxCents } = takeLoaded(loadBillingSettings(ceilings), io)
  take(checkCeilings(terms, { maxPercent, maxCents }))
  const canonical = printDiscount(terms)
  const rows = [...describeTerms(terms), ['canonical', canonical]]
  const text = () => `${renderTable([{ title: 'field' }, { title: 'value' }], rows)}\n`
  await printData(invocation, io, { ...terms, canonical }, text)
  return ExitCode.clean
}

const MEANINGS: Readonly<Record<DiscountKind, string>> = {
  onetime: 'onetime: one credit equal to the reduction',
  recurring: 'recurring: granted each period while the discount is active',
  credit: 'credit: granted once, drawn down over time',
}

export function describeTerms(
  terms: DiscountValue & { readonly kind: DiscountKind; readonly campaign?: string },
): (readonly string[])[] {
  const value = terms.unit === 'percent' ? `${terms.value} % of the plan price` : formatCents(terms.value)
  const rows = [
    ['value', value],
    ['kind', MEANINGS[terms.kind]],
  ]
  if (terms.campaign !== undefined) rows.push(['campaign', terms.campaign])
  return rows
}
