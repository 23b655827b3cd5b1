/** Well-formed UTF-16: lone surrogates have no UTF-8 form, so they become U+FFFD before anything is hashed. */
const SURROGATE = /[\ud800-\udfff]/
const PAIR_OR_LONE = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g

/** False for a text without any surrogate, which is well formed; true for one that has to be looked at. */
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
