/** Is the process alive, and may it get requests: each thing that it leans on is a named check. */

export interface HealthCheck {
  readonly name: string
  /** The process works without it, worse: named when it is down, and no reason to send requests elsewhere. */
  readonly isOptional?: boolean
  /** Resolves with nothing when all is well, else with what is wrong, in words that may leave the process. */
  check(): Promise<string | undefined>
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

const CHECK_MS_MAX = 2000
const WATCH_MS = 15_000

export class Health {
  /** Why the process as a whole is not ready, whatever the checks say; null when it is. */
  #held: string | null = null
  #checks: readonly HealthCheck[]

  constructor(checks: readonly HealthCheck[]) {
    this.#checks = checks
  }

  /** Not ready until `started`: the first start writes what it shows before anybody is sent here. */
  starting(): void {
    this.#held = 'starting'
  }

  started(): void {
    if (this.#held === 'starting') this.#held = null
  }

  /** From now on the process is not ready, so that a balancer looks elsewhere. */
  startDraining(): void {
    this.#held = 'shutting down'
  }

  /**
   * Looks now and then, and tells when a check begins to fail or is well again, so that the log has it before anybody asks.
   * @returns what ends the looking.
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
    // What a driver says may name hosts and users; the log has it.
    return 'does not answer'
  } finally {
    clearTimeout(timer)
  }
}
