/** Groups similar errors: a category by known words, and a pattern without the variable parts. Pure. */
import { cut } from '../payload.js'

const PATTERN_CHARS = 200

const CATEGORIES: readonly (readonly [category: string, words: RegExp])[] = [
  ['timeout', /tim(?:ed?|ing)[\s-]?out|deadline exceeded/i],
  ['quota', /quota|rate limit|too many requests|throttl|limit exceeded/i],
  ['auth-secrets', /denied|unauthori[sz]ed|forbidden|credential|permission|authentication|secret/i],
  ['network', /network|connection|econn|dns|getaddrinfo|unreachable|socket|tls|certificate/i],
  ['docker-build', /docker|image|manifest unknown|registry|buildkit/i],
  ['template', /template|cloudformation|stack|placeholder/i],
  ['validation', /invalid|validation|schema|malformed|syntax|parse|expected|assert|lint|test/i],
]

/**
 * One of timeout, quota, auth-secrets, network, docker-build, template, validation, other; unknown without a message.
 */
export function categoryOf(error: string | null): string {
  if (error === null) return 'unknown'
  return CATEGORIES.find(([, words]) => words.test(error))?.[0] ?? 'other'
}

/** The first 200 characters, with ids, hashes, paths and numbers replaced by `*`. */
export const patternOf = (error: string | null): string =>
  cut(
    cut(error ?? 'no message', 4 * PATTERN_CHARS)
      .replace(/\s+/g, ' ')
      .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '*')
      .replace(/(?:[A-Za-z]:)?(?:[\\/][\w.@~-]+){2,}[\\/]?/g, '*')
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi, '*')
      .replace(/\d+(?:\.\d+)*/g, '*')
      .trim(),
    PATTERN_CHARS,
  )
