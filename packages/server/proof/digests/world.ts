/** What the processes of this proof have in common: the organizations, how they want to be told, and the settings. */
import type { DigestMode } from '../../src/notification/preference/record.js'
import type { Settings } from '../../src/runtime/settings/load.js'
import type { Store } from '../../src/runtime/store/db.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { testSettings } from '../../test/support/settings.js'

/** An organization each, by the name of its owner, with the way it begins. */
export const PEOPLE: Readonly<Record<string, DigestMode>> = {
  nora: 'immediate',
  dana: 'daily',
  wanda: 'weekly',
  /** Changes between the first two. */
  sven: 'daily',
}
export const CHANGING = 'sven'
/** Of each, by one process. */
export const CHECKS_OF_EACH = 10
export const PASSWORD = 'Correct-Horse-7'
export const SECRET = 'the secret of the receiver'

export const proofSettings = (folder: string, receiver: string): Settings =>
  testSettings({
    DATA_DIR: folder,
    LIMITER_MAX: '0',
    AUTH_LIMITER_MAX: '0',
    COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: receiver,
    COMPLIANCE_NOTIFY_TIMEOUT_MS: '500',
    DIGEST_SCHEDULER_INTERVAL_MS: '1000',
    // The clock goes far ahead, and what was told is looked at in the end.
    COMPLIANCE_AUDIT_RETENTION_DAYS: '36500',
    AUDIT_RETENTION_DAYS: '0',
  })

export const openWorld = (engine: string, place: string): Promise<Store> =>
  engine === 'postgres' ? openPostgresStore({ url: place, connectionsMax: 8 }) : openSqliteStore(place)
