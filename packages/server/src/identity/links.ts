/** Where links in e-mails lead. */
import type { Runtime } from '../runtime/operation/context.js'

/** The address of the application, without a slash at the end. Where nobody named one, the server's own. */
export function appUrl({ settings, listensAt }: Pick<Runtime, 'settings' | 'listensAt'>): string {
  const { APP_URL, PUBLIC_URL, HOST, PORT } = settings
  return String(APP_URL ?? PUBLIC_URL ?? listensAt?.() ?? `http://${HOST}:${PORT}`).replace(/(?<!\/)\/+$/, '')
}
