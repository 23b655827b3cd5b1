/** Refuses to start a process whose audit log ends before an event that a signed directory names. */
import type { Runtime } from '../../runtime/operation/context.js'
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import { assertNotBehind, RolledBack } from './sign-directory.js'

/** @throws BadSettings that names the chains and both ways to continue. */
export async function refuseRolledBack(runtime: Pick<Runtime, 'store' | 'settings'>): Promise<void> {
  if (runtime.settings.AUDIT_CHECKPOINT_KEY === null) return
  try {
    await assertNotBehind(runtime)
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
    throw new BadSettings(
      [
        error.message,
        'Signed events are missing from this database. Keep a copy of it as evidence, then restore a backup (`plumbline restore`).',
        'To continue without these events, delete the rows of the table audit_directories: this removes the proof that they existed.',
      ],
      { cause: error },
    )
  }
}
