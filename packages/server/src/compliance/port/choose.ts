/** Chooses how a process gets verdicts. */
import { serviceToken } from '../../runtime/http/service-token.js'
import { CHECK_MS_MAX, type CompliancePort } from '../../runtime/records/compliance.js'
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import type { Settings } from '../../runtime/settings/load.js'
import { httpCompliance } from './http.js'
import { inProcessCompliance } from './in-process.js'

/** Modules whose changes need a verdict: without one they refuse every change. */
const GUARDED: readonly string[] = ['pipeline', 'plugin', 'ai']

/**
 * In this process where the domain is mounted, else from `COMPLIANCE_SERVICE_HOST`; undefined where no mounted module
 * needs a verdict.
 * @throws BadSettings for a process that needs verdicts and has no way to get them.
 */
export function choosePort(settings: Settings): CompliancePort | undefined {
  const mounted: readonly string[] = settings.PLUMBLINE_MODULES
  if (mounted.includes('compliance')) return inProcessCompliance
  const guarded = mounted.filter((name) => GUARDED.includes(name))
  const {
    COMPLIANCE_SERVICE_HOST: url,
    PLUMBLINE_SERVICE_CLIENT_ID: id,
    PLUMBLINE_SERVICE_CLIENT_SECRET: secret,
  } = settings
  if (url === null) {
    // guard: a-process-without-a-way-to-a-verdict-does-not-start
    if (guarded.length === 0) return undefined
    throw new BadSettings([
      `PLUMBLINE_MODULES mounts ${guarded.join(' and ')} without compliance: mount compliance too, or set COMPLIANCE_SERVICE_HOST to the API that checks`,
    ])
  }
  if (id === null || secret === null) {
    throw new BadSettings([
      'COMPLIANCE_SERVICE_HOST needs PLUMBLINE_SERVICE_CLIENT_ID and PLUMBLINE_SERVICE_CLIENT_SECRET of a service principal with the scope compliance:check',
    ])
  }
  const base = url.replace(/(?<!\/)\/+$/, '')
  const scope = 'compliance:check'
  return httpCompliance({
    url: base,
    token: serviceToken({ url: base, clientId: id, clientSecret: secret, scope, timeoutMs: CHECK_MS_MAX }),
  })
}
