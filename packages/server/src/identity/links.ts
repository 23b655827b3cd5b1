/** Where links in e-mails lead. */
import type { Settings } from '../runtime/settings/load.js'

/** The address of the application, without a slash at the end. */
export function appUrl({ APP_URL, PUBLIC_URL, HOST, PORT }: Settings): string {
  return String(APP_URL ?? PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '')
}
