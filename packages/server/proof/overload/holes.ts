/** Known holes of what a release is made of, asked of the registry. */
import { spawnSync } from 'node:child_process'

interface Audit {
  readonly metadata?: {
    readonly vulnerabilities?: Readonly<Record<string, number>>
    readonly dependencies?: { readonly prod?: number }
  }
}

/** Null where the registry does not say. */
export function knownHoles() {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell: process.platform === 'win32',
  })
  let audit: Audit = {}
  try {
    audit = JSON.parse(stdout) as Audit
  } catch {
    // The registry answered with something else.
  }
  const { vulnerabilities, dependencies } = audit.metadata ?? {}
  if (vulnerabilities === undefined) return null
  const grave = (vulnerabilities['high'] ?? 0) + (vulnerabilities['critical'] ?? 0)
  const all = ['low', 'moderate', 'high', 'critical'].map((each) => `${vulnerabilities[each] ?? 0} ${each}`).join(', ')
  return { isGood: grave === 0, figures: `${dependencies?.prod ?? 'all'} packages of a release: ${all}` }
}
