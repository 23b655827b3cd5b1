/**
 * Thrown when a regular expression engine could not answer.
 *
 * The evaluation turns it into a misconfigured rule, which is a violation. A fault is never "no match", because a
 * negated check would then pass.
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
