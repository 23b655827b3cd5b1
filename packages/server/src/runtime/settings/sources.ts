/** Where settings come from, and which source takes precedence. */

/** A source of settings. An earlier source takes precedence over a later one. An empty text counts as not set. */
export interface SettingSource {
  /** `environment`, `file plumbline.env`, `option`, `keys.json`. */
  readonly origin: string
  readonly values: Readonly<Record<string, string | undefined>>
}

export interface SettingMessage {
  readonly name: string
  readonly message: string
}

/** Returns the first text that is set for a name, and its source. */
export function lookUp(sources: readonly SettingSource[], name: string): { text: string; origin: string } | undefined {
  for (const { origin, values } of sources) {
    const text = Object.hasOwn(values, name) ? values[name] : undefined
    if (text !== undefined && text !== '') return { text, origin }
  }
  return undefined
}
