/**
 * The hosts whose repositories can be read: three public ones, and those that the operator configures. Each uses the
 * API of one of three forges, at one address.
 */
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import type { Settings } from '../../runtime/settings/load.js'

export type Forge = 'github' | 'gitlab' | 'bitbucket'

export interface GitHost {
  readonly forge: Forge
  readonly host: string
  /** The base address of its API, without a trailing slash. */
  readonly api: string
  /** The operator configured this address, so it may be http on loopback, or private; otherwise it has to be public. */
  readonly isVouched: boolean
}

const PATHS: Readonly<Record<Forge, string>> = { github: '/api/v3', gitlab: '/api/v4', bitbucket: '/2.0' }

const PUBLIC: readonly GitHost[] = [
  { forge: 'github', host: 'github.com', api: 'https://api.github.com', isVouched: false },
  { forge: 'gitlab', host: 'gitlab.com', api: 'https://gitlab.com/api/v4', isVouched: false },
  { forge: 'bitbucket', host: 'bitbucket.org', api: 'https://api.bitbucket.org/2.0', isVouched: false },
]

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:[0-9]{1,5})?$/

/** By host. GIT_HOSTS overrides the public hosts. @throws BadSettings for an address that is not an origin over TLS. */
export function hostsOf({ GIT_HOSTS }: Pick<Settings, 'GIT_HOSTS'>): ReadonlyMap<string, GitHost> {
  const own = GIT_HOSTS.map((entry): GitHost => {
    const [named = '', origin] = entry.split('=')
    const [forge, host = ''] = named.split(':') as [Forge, string?]
    if (origin === undefined) return { forge, host, api: `https://${host}${PATHS[forge]}`, isVouched: false }
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin.toLowerCase()
    // guard: tokens-of-repositories-go-over-tls
    if (!isOrigin || (!origin.startsWith('https://') && !LOOPBACK.test(origin))) {
      throw new BadSettings([
        `GIT_HOSTS \`${entry}\`: write an origin after \`=\`, such as https://git.acme.test; plain http is allowed only for loopback`,
      ])
    }
    return { forge, host, api: `${origin}${PATHS[forge]}`, isVouched: true }
  })
  return new Map([...PUBLIC, ...own].map((each) => [each.host, each]))
}
