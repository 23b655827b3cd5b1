/** Where settings come from, and which of several sources stands. */

/** Where values come from; an earlier source stands over a later one. An empty text counts as not set. */
export interface SettingSource {
  /** `environment`, `file plumbline.env`, `option`, `keys.json`. */
  readonly origin: string
  readonly values: Readonly<Record<string, string | undefined>>
}

export interface SettingMessage {
  readonly name: string
  readonly message: string
}

/** The first text that is set for a name, and where. */
export function lookUp(sources: readonly SettingSource[], name: string): { text: string; origin: string } | undefined {
  for (const { origin, values } of sources) {
    const text = Object.hasOwn(values, name) ? values[name] : undefined
    if (text !== undefined && text !== '') return { text, origin }
  }
  return undefined
}
