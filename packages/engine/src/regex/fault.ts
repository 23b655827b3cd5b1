/**
 * An engine that could not answer. The evaluation turns it into a misconfigured rule, a violation: a fault is never
 * "no match", since a negated check would then pass.
 */
export class RegexEngineFault extends Error {
  override readonly name = 'RegexEngineFault'
  readonly pattern: string
  readonly engine: string

  constructor(pattern: string, engine: string, problem: string, options?: ErrorOptions) {
    super(`regex engine ${engine}: ${problem}`, options)
    this.pattern = pattern
    this.engine = engine
  }
}
