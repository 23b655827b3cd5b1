/** The walk of a job over accounts, each apart from the others. */
import type { JobContext } from '../../runtime/jobs/define.js'
import type { Db } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'

/** How many accounts one read returns. */
export const AT_ONCE = 100

export interface Place {
  /** The id of its subscription, by which the reads are sorted. */
  readonly id: string
  readonly orgId: string
}

/** Runs for each account that the reads return, until a read returns fewer than `AT_ONCE`. */
export async function eachAccount(
  { runtime, read, signal }: Pick<JobContext, 'runtime' | 'read' | 'signal'>,
  accountsAfter: (db: Db, after: string) => Promise<readonly Place[]>,
  run: (orgId: string) => Promise<unknown>,
): Promise<void> {
  for (let after = ''; ; ) {
    const accounts = await read((db) => accountsAfter(db, after))
    for (const { orgId } of accounts) {
      if (signal.aborted) return
      await apart(runtime, orgId, () => run(orgId))
    }
    if (accounts.length < AT_ONCE) return
    after = accounts.at(-1)?.id ?? ''
  }
}
