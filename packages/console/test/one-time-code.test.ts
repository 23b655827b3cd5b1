import { expect, it } from 'vitest'
import { codeOf } from '../src/data/one-time-code.js'

it.each(['123456', ' 123 456 ', '123\u00a0456', '123\u202f456', '123\t456\n'])(
  'the code %j is taken as it is pasted',
  (text) => {
    expect(codeOf(text)).toBe('123456')
  },
)
