/** The address that links in e-mails start with. */
import type { Runtime } from '../runtime/operation/context.js'

/** The address of the application without a slash at the end; by default, the server's own address. */
export function appUrl({ settings, listensAt }: Pick<Runtime, 'settings' | 'listensAt'>): string {
  const { APP_URL, PUBLIC_URL, HOST, PORT } = settings
  return String(APP_URL ?? PUBLIC_URL ?? listensAt?.() ?? `http://${HOST}:${PORT}`).replace(/(?<!\/)\/+$/, '')
}
