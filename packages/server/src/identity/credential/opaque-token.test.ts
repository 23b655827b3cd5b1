/** Goal: a person can paste each token behind a command, and each is what the server takes. */
import { expect, it } from 'vitest'
import { isOneTimeToken, newOneTimeToken } from './opaque-token.js'

it('a token in a link is well formed, and none of 2,000 begins with a hyphen', () => {
  const tokens = Array.from({ length: 2000 }, newOneTimeToken)
  expect(tokens.every(isOneTimeToken)).toBe(true)
  expect(tokens.filter((token) => token.startsWith('-'))).toEqual([])
  expect(new Set(tokens).size).toBe(tokens.length)
})
