/**
 * The demo organization of the first start: whether to create it, and what the terminal shows about it once.
 *
 * INVARIANT: the token, the link and the password are shown only on the terminal, never in the log.
 */
import { DEMO_USERNAMES } from '../identity/index.js'
import type { Settings } from '../runtime/settings/load.js'
import type { ShownDemo } from './make.js'

/** Without the setting: in development only. */
export const wantsDemo = ({ PLUMBLINE_DEMO, NODE_ENV }: Pick<Settings, 'PLUMBLINE_DEMO' | 'NODE_ENV'>): boolean =>
  PLUMBLINE_DEMO ?? NODE_ENV === 'development'

export interface DemoPlace {
  /** Where the server listens. */
  readonly url: string
  readonly settings: Pick<Settings, 'BASE_PATH' | 'BILLING_ENABLED' | 'PLUMBLINE_MODULES'>
}

const hasConsole = ({ PLUMBLINE_MODULES }: Pick<Settings, 'PLUMBLINE_MODULES'>): boolean =>
  PLUMBLINE_MODULES.includes('console')

/** The addresses of the server, shown at each start on a terminal. */
export const addressText = (url: string, settings: Pick<Settings, 'BASE_PATH' | 'PLUMBLINE_MODULES'>): string => {
  const console = hasConsole(settings) ? `   console ${url}/console` : ''
  return `\n  Plumbline ${url}${console}   documentation ${url}${settings.BASE_PATH}/docs\n\n`
}

/** The token is in the fragment, which a browser sends neither to a server nor as a referrer. */
const signInLink = (demo: ShownDemo, { url, settings }: DemoPlace): string =>
  hasConsole(settings)
    ? `
  Look around:   ${url}/console/link#${demo.linkToken}
                 signs you in as ${DEMO_USERNAMES[0]}: once, within ${demo.linkMinutes} minutes
`
    : ''

export function demoText(demo: ShownDemo, place: DemoPlace): string {
  const { url, settings } = place
  const api = `${url}${settings.BASE_PATH}`
  const [owner] = DEMO_USERNAMES
  const console = hasConsole(settings)
    ? `  Console:       ${url}/console   sign in as ${owner} with the password\n`
    : ''
  // The command line finds the API below `/api`, or at the path of the address that it is given.
  const server = settings.BASE_PATH === '/api' ? url : api
  return `
  Plumbline ${url}   documentation ${api}/docs

  The data folder was empty, so the server created a demo: the organization "${demo.organization.slug}" with the team "${demo.team.slug}"${demo.hasHistory ? ', with a month of checks behind it' : ''}.
  What follows is shown only this once.
${signInLink(demo, place)}
    token     ${demo.token}
              of ${owner}, for ${demo.tokenDays} days
    password  ${demo.password}
              of ${DEMO_USERNAMES.join(', ')}

${console}  First call:    curl -s ${api}/auth/me -H "Authorization: Bearer ${demo.token}"
  More tokens:   plumbline login --url ${server} --user ${owner}, then plumbline tokens create <name>
  ${
    settings.BILLING_ENABLED
      ? 'Billing is on: the organization has the tier team, and its limits apply.'
      : 'Billing is off, so tier limits are not enforced: every organization may use every feature.'
  }
  Without a demo: an empty data directory and PLUMBLINE_DEMO=false, or plumbline serve --empty.

`
}
