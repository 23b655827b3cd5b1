/** Well-formed UTF-16. A lone surrogate has no UTF-8 form, so it becomes U+FFFD before anything is hashed. */
const SURROGATE = /[\ud800-\udfff]/
const PAIR_OR_LONE = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g

/** Returns false for a text without surrogates, which is well formed. Returns true for a text that must be examined. */
export function mayBeMalformed(text: string): boolean {
  return SURROGATE.test(text)
}

export function wellFormed(text: string): string {
  if (!SURROGATE.test(text)) return text
  return text.replace(PAIR_OR_LONE, (match) => (match.length === 2 ? match : '\ufffd'))
}

export function isWellFormed(text: string): boolean {
  return !SURROGATE.test(text) || wellFormed(text) === text
}
