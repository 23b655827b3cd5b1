/** What an organization gets of the published rules by what happens to it elsewhere: when it is made, and when its tier changes. */
import type { WriteContext } from '../operation/context.js'
import type { Tx } from '../store/db.js'

export interface RuleLibraryPort {
  /** A new organization has the starter rules as inactive subscriptions. In the transaction that makes it. */
  begin(
    tx: Tx,
    runtime: WriteContext['runtime'],
    organization: { readonly orgId: string; readonly createdBy: string | null },
  ): Promise<void>
  /** Switches the rules of sets on and off that the features of the account gained and lost, in each of its organizations. */
  follow(
    context: WriteContext<'compliance.rule.toggle'>,
    account: {
      readonly rootOrgId: string
      readonly before: ReadonlySet<string>
      readonly after: ReadonlySet<string>
    },
  ): Promise<void>
}
