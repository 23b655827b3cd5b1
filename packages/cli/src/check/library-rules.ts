/** The rules of the libraries that Plumbline ships, for a check without a server. */
import type { Rule } from '@plumbline/engine'
import { type Invocation, UsageError } from '../command.js'
import { ruleId } from '../input/rules.js'
import { texts } from '../program/invocation.js'

/** The rules of the libraries that `--library` names. `advanced` builds on `standard`, so it includes it. */
export async function libraryRules(invocation: Invocation): Promise<Rule[]> {
  const named = new Set(texts(invocation, 'library'))
  if (named.size === 0) return []
  if (named.has('advanced')) named.add('standard')
  // A library is loaded only if a check asks for it.
  const { libraries } = await import('@plumbline/rules')
  return (['starter', 'standard', 'advanced'] as const)
    .filter((name) => named.has(name))
    .flatMap((name) => libraries[name].map(({ rule }) => rule))
}

/**
 * @throws UsageError if a rule of the files has the same id as a rule of a library: choosing one of them would be a
 * guess.
 */
export function refuseSameNames(own: readonly Rule[], library: readonly Rule[]): void {
  const names = new Set(library.map(ruleId))
  const twice = own.map(ruleId).filter((name) => names.has(name))
  if (twice.length === 0) return
  throw new UsageError(
    `your rules have the names of rules in the library: ${twice.join(', ')}`,
    'rename yours, or leave --library out',
  )
}
