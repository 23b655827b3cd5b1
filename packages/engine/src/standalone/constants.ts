/** The constants at the head of a module. Each is written once, however often it is used. */

export class Constants {
  readonly #names = new Map<string, string>()
  readonly #lines: string[] = []

  /** Returns the name of the constant that holds `expression`. Equal expressions have one name. */
  named(prefix: string, expression: string): string {
    const key = `${prefix} ${expression}`
    let name = this.#names.get(key)
    if (name === undefined) {
      name = `${prefix}${this.#names.size}`
      this.#names.set(key, name)
      this.#lines.push(`const ${name} = ${expression}`)
    }
    return name
  }

  get lines(): readonly string[] {
    return this.#lines
  }
}
