import { describe, expect, it } from 'vitest'
import { parseText } from '../input/parse-text.js'
import { excerptOf } from './excerpt.js'

const locate = (file: string, text: string) => {
  const [located] = parseText(file, text).documents
  if (!located) throw new Error('no document')
  return located
}

describe('excerptOf', () => {
  const yaml = locate('a.yaml', 'name: web\nenv:\n  TOKEN: hunter2\ntags: [a, b]\n')

  it('shows key and value when the value is the published one', () => {
    expect(excerptOf(yaml, ['name'], 'web')).toEqual({ text: 'name: web', endColumn: 10 })
  })

  it.each<[string | number | null, string]>([
    ['[REDACTED]', 'a redacted value'],
    [7, 'a count or length of it'],
    [null, 'nothing'],
  ])('shows the key alone when the engine published %j (%s)', (actual, _meaning) => {
    expect(excerptOf(yaml, ['env', 'TOKEN'], actual)).toEqual({ text: 'TOKEN: …', endColumn: null })
  })

  it('shows the key alone of a list, a map and a value on later lines', () => {
    expect(excerptOf(yaml, ['tags'], ['a', 'b']).text).toBe('tags: …')
    expect(excerptOf(yaml, ['env'], { TOKEN: '[REDACTED]' }).text).toBe('env: …')
  })

  it('shows nothing for an entity as a whole', () => {
    expect(excerptOf(yaml, [], null).text).toBe('')
    expect(excerptOf(yaml, ['missing'], null).text).toBe('')
  })

  it('shows no other value of a line', () => {
    const json = locate('a.json', '{"a":"secret","b":true,"c":"secret"}')
    expect(excerptOf(json, ['b'], true)).toEqual({ text: '"b":true', endColumn: 23 })
  })
})
