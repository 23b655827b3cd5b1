/** The secrets of an organization that the builds of its plugins may read. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { identityOf } from '../services.js'
import { readSecret } from './rows.js'

/** Like `readSecret`, with the keys of this process. */
export const releasedSecret = (
  db: Db,
  runtime: Runtime,
  orgId: string,
  which: { readonly name: string; readonly pluginName: string },
): ReturnType<typeof readSecret> => readSecret(db, identityOf({ runtime }).box, orgId, which)
