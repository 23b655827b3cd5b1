/**
 * Liveness and readiness: whether the process is alive and may receive requests. Everything that the process depends on
 * is a named check.
 */

export interface HealthCheck {
  readonly name: string
  /**
   * The process works without it, with limits. When it is down it is reported, and the process still receives requests.
   */
  readonly isOptional?: boolean
  /** Resolves with nothing when all is well, otherwise with the problem, in words that may leave the process. */
  check(): Promise<string | undefined>
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

const CHECK_MS_MAX = 2000
const WATCH_MS = 15_000

export class Health {
  /** Why the process as a whole is not ready, whatever the checks say; null when it is ready. */
  #held: string | null = null
  #checks: readonly HealthCheck[]

  constructor(checks: readonly HealthCheck[]) {
    this.#checks = checks
  }

  /** Not ready until `started` is called: the first start writes content that must exist before requests arrive. */
  starting(): void {
    this.#held = 'starting'
  }

  started(): void {
    if (this.#held === 'starting') this.#held = null
  }

  /** The process is not ready from now on, so that a load balancer uses other replicas. */
  startDraining(): void {
    this.#held = 'shutting down'
  }

  /**
   * Runs the checks regularly and reports when a check begins to fail or recovers, so that the log has it before anyone
   * asks.
   *
   * @returns A function that stops this.
   */
  watch(tell: (name: string, problem: string | null) => void, everyMs = WATCH_MS): () => void {
    const failing = new Set<string>()
    const look = async () => {
      for (const check of this.#checks) {
        const outcome = await outcomeOf(check)
        if (outcome === 'ok') {
          if (failing.delete(check.name)) tell(check.name, null)
        } else if (!failing.has(check.name)) {
          failing.add(check.name)
          tell(check.name, outcome)
        }
      }
    }
    void look()
    const timer = setInterval(() => void look(), everyMs)
    timer.unref()
    return () => clearInterval(timer)
  }

  async readiness(): Promise<Readiness> {
    const outcomes = await Promise.all(this.#checks.map(outcomeOf))
    const named = this.#checks.map(({ name }, index) => [name, outcomes[index] ?? ''] as const)
    const ready = this.#checks.every(({ isOptional }, index) => isOptional || outcomes[index] === 'ok')
    if (this.#held === null) return { ready, checks: Object.fromEntries(named) }
    return { ready: false, checks: { ...Object.fromEntries(named), process: this.#held } }
  }
}

async function outcomeOf({ check }: HealthCheck): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${CHECK_MS_MAX / 1000} s`), CHECK_MS_MAX)
  })
  try {
    return (await Promise.race([check(), late])) ?? 'ok'
  } catch {
    // A driver's message may name hosts and users. It is only logged.
    return 'does not answer'
  } finally {
    clearTimeout(timer)
  }
}
