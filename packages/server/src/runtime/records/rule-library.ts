/** What an organization gets of the published rules by what happens to it elsewhere: when it is made, and when its tier changes. */

import type { WriteContext } from '../operation/context.js'
import { port } from '../port.js'
import type { Tx } from '../store/db.js'

/** A request, or a job, that switches rules. */
export type RuleWriting = Pick<
  WriteContext<'compliance.rule.toggle'>,
  'tx' | 'runtime' | 'nowMs' | 'actor' | 'audit' | 'enqueue'
>

export interface RuleLibraryPort {
  /** A new organization has the starter rules as inactive subscriptions. In the transaction that makes it. */
  begin(
    tx: Tx,
    runtime: WriteContext['runtime'],
    organization: { readonly orgId: string; readonly createdBy: string | null },
  ): Promise<void>
  /** Switches the rules of sets on and off that the features of the account gained and lost, in each of its organizations. */
  follow(
    context: RuleWriting,
    account: {
      readonly rootOrgId: string
      readonly before: ReadonlySet<string>
      readonly after: ReadonlySet<string>
    },
  ): Promise<void>
}

export const ruleLibraryPort = port<RuleLibraryPort>('rule library')
