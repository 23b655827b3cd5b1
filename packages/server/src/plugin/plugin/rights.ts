/** Who may change which plugin, in addition to `plugins:write`. */
import { insufficient, Refusal } from '../../runtime/errors.js'
import type { PrepareContext, WriteContext } from '../../runtime/operation/context.js'
import { checkWriteScope } from '../../runtime/records/catalog.js'
import type { PluginRow } from '../tables.js'

type Asking = Pick<PrepareContext | WriteContext, 'authority'>

/** @throws Refusal 403 without `plugins:publish` when any of these is or becomes `public`. */
export function checkPublish({ authority }: Asking, ...modifiers: (string | undefined)[]): void {
  // guard: who-publishes-plugins
  if (!modifiers.includes('public') || authority.permissions.has('plugins:publish')) return
  throw insufficient('permission', 'changing a public plugin needs the permission plugins:publish', {
    required: ['plugins:publish'],
    mode: 'all',
  })
}

/** @throws Refusal 403 for a plugin that the caller may not change. */
export async function checkMayChange(context: PrepareContext, row: PluginRow, accessModifier?: string): Promise<void> {
  checkPublish(context, row.accessModifier, accessModifier)
  // guard: who-changes-whose-plugins
  await checkWriteScope(context, row)
}

/** The row must still be the one that was checked. @throws Refusal 409. */
export function checkUnchanged(prepared: Pick<PluginRow, 'revision'>, stored: Pick<PluginRow, 'revision'>): void {
  // guard: what-was-judged-is-what-is-changed
  if (prepared.revision === stored.revision) return
  throw new Refusal('CONFLICT', 'the plugin changed while it was checked: read it again and repeat the change')
}
