/** What re-checks found, for the domains that show it. */
import { port } from '../port.js'
import type { LastRecheck } from './compliance.js'

export const lastRecheckPort = port<LastRecheck>('last re-check')
