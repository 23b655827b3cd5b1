/** `team=web` gives `team` and `web`; a name alone is `true`. */
export const pairsOf = (given: unknown): [string, string][] =>
  (given as readonly string[]).map((text) => {
    const at = text.indexOf('=')
    return at < 0 ? [text, 'true'] : [text.slice(0, at), text.slice(at + 1)]
  })
