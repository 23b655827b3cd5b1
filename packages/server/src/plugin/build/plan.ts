/** What happens to a build after a failure, and which organization's turn it is. Pure. Source: spec platform 11. */

export const CATEGORIES = [
  'docker-build',
  'template',
  'quota',
  'timeout',
  'auth-secrets',
  'network',
  'validation',
  'other',
  'unknown',
] as const
export type BuildCategory = (typeof CATEGORIES)[number]

export const BUILD_STATES = ['waiting', 'delayed', 'active', 'completed', 'dead', 'cancelled'] as const

/** The phases from a claim to a ready plugin; the first four run in the builder. */
export const BUILDER_PHASES = ['fetching', 'building', 'exporting', 'pushing'] as const
export const BUILD_PHASES = [...BUILDER_PHASES, 'verifying', 'checking', 'publishing'] as const
export type BuildPhase = (typeof BUILD_PHASES)[number]

/** The job that takes over the image of a builder. */
export const FINISH_JOB = 'plugin.finish-build'

/** The job that publishes the attestations of an image. */
export const ATTEST_JOB = 'plugin.attest-image'

/** How long lists show a build after its end. */
export const COMPLETED_SHOWN_MS = 3_600_000
export const FAILED_SHOWN_MS = 24 * 3_600_000

export const LEASE_MS = 60_000
export const DEAD_PER_ORG_MAX = 100
const BACKOFF_MS = 5000
const ROUND_WAITS_MS = [5 * 60_000, 15 * 60_000, 45 * 60_000]

/** The share of the builders for each tier. A turn advances an organization by 8 divided by its weight. */
const WEIGHTS: Readonly<Record<string, number>> = { developer: 1, pro: 2, team: 4, enterprise: 8, unlimited: 8 }
export const strideOf = (tier: string): number => 8 / (WEIGHTS[tier] ?? 1)

export interface FailureState {
  readonly round: number
  /** Attempts of this round, including the failed one. */
  readonly attempts: number
}

export type AfterFailure =
  | { readonly state: 'delayed'; readonly runAtMs: number }
  | { readonly state: 'dead'; readonly isExhausted: false; readonly runAtMs: number }
  | { readonly state: 'dead'; readonly isExhausted: true }

export function afterFailure(
  { round, attempts }: FailureState,
  {
    isPermanent,
    attemptsMax,
    roundsMax,
    nowMs,
  }: { isPermanent: boolean; attemptsMax: number; roundsMax: number; nowMs: number },
): AfterFailure {
  if (isPermanent) return { state: 'dead', isExhausted: true }
  if (attempts < attemptsMax) return { state: 'delayed', runAtMs: nowMs + BACKOFF_MS * 2 ** (attempts - 1) }
  if (round >= roundsMax) return { state: 'dead', isExhausted: true }
  const waitMs = ROUND_WAITS_MS[round] ?? ROUND_WAITS_MS.at(-1) ?? 0
  return { state: 'dead', isExhausted: false, runAtMs: nowMs + waitMs }
}
