/** Tokens: examples of each rule, and a naive resolver that the real one agrees with. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveTokens, tokenPaths } from './resolve.js'

const resolve = (text: unknown, vars: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) => {
  const { value, issues } = resolveTokens(text, { vars, metadata }, '/t')
  return issues.length === 0 ? value : issues.map(({ code }) => code)
}

describe('a token', () => {
  it('is replaced by its value, with its type where it is the whole text', () => {
    expect(resolve('{{ vars.a }}', { a: { b: [1] } })).toEqual({ b: [1] })
    expect(resolve('{{vars.a.b}}-{{ pipeline.vars.n }}', { a: { b: 'x' }, n: 3 })).toBe('x-3')
    expect(resolve({ deep: ['{{ metadata.env }}'] }, {}, { env: 'dev' })).toEqual({ deep: ['dev'] })
  })

  it('goes through its filters', () => {
    expect(resolve("{{ vars.none | default: 'main' }}")).toBe('main')
    expect(resolve('{{ vars.none | default: 7 }}')).toBe(7)
    expect(resolve('{{ vars.n | number }}{{ vars.b | bool }}', { n: '4', b: '1' })).toBe('4true')
    expect(resolve('{{ vars.o | json }}', { o: { a: [1] } })).toBe('{"a":[1]}')
  })

  it('means itself behind two more braces', () => {
    expect(resolve('{{{{ vars.a }}')).toBe('{{ vars.a }}')
    expect(resolve('a {{{{b')).toBe('a {{b')
  })

  it.each([
    ['{{ vars.none }}', {}, 'TEMPLATE_UNKNOWN_PATH'],
    ['{{ stage.name }}', {}, 'TEMPLATE_UNKNOWN_PATH'],
    ['{{ vars }}', {}, 'TEMPLATE_UNKNOWN_PATH'],
    ['{{ secrets.token }}', {}, 'TEMPLATE_SECRETS_RESERVED'],
    ['{{ vars.a', { a: 1 }, 'TEMPLATE_PARSE_ERROR'],
    ['{{ vars.a | upper }}', { a: 1 }, 'TEMPLATE_PARSE_ERROR'],
    ["{{ vars.a | default: 'x }}", { a: 1 }, 'TEMPLATE_PARSE_ERROR'],
    ['{{ vars.a.b.c.d.e }}', { a: 1 }, 'TEMPLATE_PARSE_ERROR'],
    ['x {{ vars.o }}', { o: {} }, 'TEMPLATE_TYPE_MISMATCH'],
    ['{{ vars.a | number }}', { a: 'x' }, 'TEMPLATE_TYPE_MISMATCH'],
    ['{{ vars.a | bool }}', { a: 'x' }, 'TEMPLATE_TYPE_MISMATCH'],
    ['{{ vars.a }}', { a: '{{ vars.b }}', b: '{{ vars.a }}' }, 'TEMPLATE_CYCLE'],
    ['{{ vars.a }}', { a: { b: '{{ vars.a }}' } }, 'TEMPLATE_CYCLE'],
    [`{{ vars.a }}${'x'.repeat(4096)}`, { a: 1 }, 'TEMPLATE_SIZE_EXCEEDED'],
    ['{{ vars.__proto__ }}', {}, 'TEMPLATE_UNKNOWN_PATH'],
    ['{{ vars.constructor.name }}', {}, 'TEMPLATE_UNKNOWN_PATH'],
  ])('%s is refused', (text, vars, code) => {
    expect(resolve(text, vars)).toEqual([code])
  })

  it('does not grow without bound', () => {
    const vars: Record<string, string> = { v0: 'x'.repeat(64) }
    for (let n = 1; n < 40; n++) vars[`v${n}`] = `{{ vars.v${n - 1} }}{{ vars.v${n - 1} }}`
    expect(resolve('{{ vars.v39 }}', vars)).toEqual(['TEMPLATE_SIZE_EXCEEDED'])
  })

  it.each([
    ['an object', '{{ vars.a0 }}'],
    ['an object as JSON', '{{ vars.a0 | json }}'],
    ['an object as JSON beside a text', 'x {{ vars.a0 | json }}'],
    ['a list of them', ['{{ vars.a18 }}', '{{ vars.a18 }}', '{{ vars.a18 | json }}']],
  ])('does not grow without bound as %s that is named twice on each of many levels', (_what, text) => {
    const levels = 30
    const vars: Record<string, unknown> = { [`a${levels}`]: { x: 'end' } }
    for (let n = 0; n < levels; n++) vars[`a${n}`] = { x: `{{ vars.a${n + 1} }}`, y: `{{ vars.a${n + 1} }}` }
    const { issues } = resolveTokens(text, { vars, metadata: {} }, '/t')
    expect(issues.map(({ code }) => code)).toContain('TEMPLATE_SIZE_EXCEEDED')
  })

  it('names one large value many times, within the bound of all', () => {
    const large = { rows: Array.from({ length: 1000 }, (_, n) => ({ n, text: 'x'.repeat(20) })) }
    expect(resolve(['{{ vars.large }}', '{{ vars.large | json }}'], { large })).toEqual([large, JSON.stringify(large)])
  })

  it('is found by the paths that it names', () => {
    expect(tokenPaths({ a: ['{{ vars.x }}', '{{{{ vars.y }}'] }, '')).toEqual([{ path: ['vars', 'x'], at: '/a/0' }])
  })
})

/** Replaces text by text until nothing is left to replace: no memory, no order, no types. */
function naive(text: string, vars: Readonly<Record<string, string>>): string {
  let left = text
  for (let rounds = 0; rounds < 50 && /\{\{ vars\.\w+ \}\}/.test(left); rounds++) {
    left = left.replaceAll(/\{\{ vars\.(\w+) \}\}/g, (_, name: string) => vars[name] ?? '')
  }
  return left
}

describe('resolution', () => {
  it('gives what a naive one gives, where no value names a later one', () => {
    const names = ['v0', 'v1', 'v2', 'v3', 'v4']
    const textOver = (known: readonly string[]) =>
      fc
        .array(
          known.length === 0
            ? fc.constantFrom('a', '-', ' b ')
            : fc.oneof(
                fc.constantFrom('a', '-', ' b '),
                fc.constantFrom(...known).map((name) => `{{ vars.${name} }}`),
              ),
          { maxLength: 4 },
        )
        .map((parts) => parts.join(''))
    const world = fc.tuple(...names.map((_, n) => textOver(names.slice(0, n))), textOver(names))
    fc.assert(
      fc.property(world, (texts) => {
        const vars = Object.fromEntries(names.map((name, n) => [name, texts[n] ?? '']))
        const text = texts.at(-1) ?? ''
        expect(resolve(text, vars)).toBe(naive(text, vars))
      }),
    )
  })

  it('leaves what holds no token as it is, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { value: resolved, issues } = resolveTokens(value, { vars: {}, metadata: {} }, '')
        if (!JSON.stringify(value).includes('{{')) expect([resolved, issues]).toEqual([value, []])
      }),
    )
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{{', '}}', '{', '|', 'vars', '.', 'a', "'", ' ', 'default', ':') }),
        (text) => {
          resolveTokens(text, { vars: { a: 1 }, metadata: {} }, '')
        },
      ),
    )
  })
})
