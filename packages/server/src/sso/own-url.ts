/** The address at which browsers reach this server; the redirect addresses for identity providers start with it. */
import type { Runtime } from '../runtime/operation/context.js'

/** Without a slash at the end. */
export function ownUrl({ settings, listensAt }: Pick<Runtime, 'settings' | 'listensAt'>): string {
  const { PUBLIC_URL, HOST, PORT } = settings
  return String(PUBLIC_URL ?? listensAt?.() ?? `http://${HOST}:${PORT}`).replace(/(?<!\/)\/+$/, '')
}
