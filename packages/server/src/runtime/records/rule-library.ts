/** How an organization's subscriptions to published rules follow other events: its creation, and changes of its tier. */

import type { WriteContext } from '../operation/context.js'
import { port } from '../port.js'
import type { Tx } from '../store/db.js'

/** A request or a job that activates or deactivates rules. */
export type RuleWriting = Pick<
  WriteContext<'compliance.rule.toggle'>,
  'tx' | 'runtime' | 'nowMs' | 'actor' | 'audit' | 'enqueue'
>

export interface RuleLibraryPort {
  /**
   * Subscribes a new organization to the starter rules, inactive. Call it in the transaction that creates the
   * organization.
   */
  begin(
    tx: Tx,
    runtime: WriteContext['runtime'],
    organization: { readonly orgId: string; readonly createdBy: string | null },
  ): Promise<void>
  /**
   * Activates and deactivates the rules of sets whose features the account gained or lost, in each of its
   * organizations.
   */
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
