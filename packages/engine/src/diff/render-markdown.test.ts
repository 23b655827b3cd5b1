import { describe, expect, it } from 'vitest'
import type { EntityDifference, EntityGroup, RuleDifference, RuleSetDiff } from './index.js'
import { renderDiffMarkdown } from './index.js'

const rule = (more: Partial<RuleDifference>): RuleDifference => ({
  id: '1',
  name: 'a',
  target: 'plugin',
  change: 'changed',
  keys: [],
  severity: { before: 'error', after: 'error' },
  stricter: null,
  laxer: null,
  reason: 'why',
  ...more,
})
const entity = (more: Partial<EntityDifference>): EntityDifference => ({
  id: null,
  name: null,
  target: 'plugin',
  before: 'clean',
  after: 'blocked',
  rules: ['a'],
  witness: null,
  ...more,
})
const none: EntityGroup = { total: 0, samples: [] }
const diff = (more: Partial<RuleSetDiff>): RuleSetDiff => ({
  rules: [],
  unchanged: 0,
  newlyBlocked: none,
  newlyAllowed: none,
  newlyWarned: none,
  entities: null,
  ...more,
})
const rendered = (more: Partial<RuleSetDiff>): string => renderDiffMarkdown(diff(more))
const row = (more: Partial<RuleDifference>): string =>
  rendered({ rules: [rule(more)] })
    .trimEnd()
    .split('\n')
    .at(-1) ?? ''

describe('the Markdown of a comparison', () => {
  it('of equal rule sets is a summary', () => {
    expect(rendered({ unchanged: 3 })).toBe(
      '## Rule changes\n\n0 added, 0 removed, 0 changed in meaning, 0 cosmetic, 0 undecided, 3 unchanged\n',
    )
  })

  it('counts each kind of change', () => {
    const changes = ['added', 'removed', 'removed', 'changed', 'cosmetic', 'cosmetic', 'cosmetic', 'undecided'] as const
    const [, , summary] = rendered({ rules: changes.map((change) => rule({ change })), unchanged: 7 }).split('\n')
    expect(summary).toBe('1 added, 2 removed, 1 changed in meaning, 3 cosmetic, 1 undecided, 7 unchanged')
  })

  it('is a table of rules, then the entities of each group', () => {
    const text = rendered({
      rules: [rule({ name: 'a', change: 'added', severity: { before: null, after: 'error' }, stricter: { x: 1 } })],
      newlyBlocked: { total: 3, samples: [entity({ name: 'n', id: 'i', rules: ['a', 'b'] }), entity({ id: 'i' })] },
      newlyAllowed: { total: 1, samples: [entity({})] },
      newlyWarned: { total: 1, samples: [entity({ name: 'unused', witness: { y: 2 } })] },
      entities: 12,
    })
    expect(text).toBe(
      [
        '## Rule changes',
        '',
        '1 added, 0 removed, 0 changed in meaning, 0 cosmetic, 0 undecided, 0 unchanged',
        '',
        '| Rule | Change | Severity | What it means |',
        '|---|---|---|---|',
        '| `a` | added | error | why; now violated by `{"x":1}` |',
        '',
        '### Newly blocked: 3 (of 12 entities)',
        '',
        '- `n`: `a`, `b`',
        '- `i`: `a`',
        '- and 1 more',
        '',
        '### Newly allowed: 1 (of 12 entities)',
        '',
        '- `entity`: `a`',
        '',
        '### Newly warned: 1 (of 12 entities)',
        '',
        '- `{"y":2}`: `a`',
        '',
      ].join('\n'),
    )
  })

  it('says where the entities come from', () => {
    const newlyBlocked = { total: 1, samples: [entity({})] }
    expect(rendered({ newlyBlocked })).toContain('### Newly blocked: 1 (constructed from the rules)\n')
    expect(rendered({ newlyBlocked, entities: 1 })).toContain('### Newly blocked: 1 (of 1 entity)\n')
    expect(rendered({ newlyBlocked, entities: 0 })).toContain('### Newly blocked: 1 (of 0 entities)\n')
  })

  it('shows a severity once, and two where they differ', () => {
    expect(row({ severity: { before: 'error', after: 'error' } })).toBe('| `a` | changed | error | why |')
    expect(row({ severity: { before: 'warning', after: 'error' } })).toBe('| `a` | changed | warning → error | why |')
    expect(row({ severity: { before: 'warning', after: null } })).toBe('| `a` | changed | warning | why |')
    expect(row({ severity: { before: null, after: 'critical' } })).toBe('| `a` | changed | critical | why |')
    expect(row({ severity: { before: null, after: null } })).toBe('| `a` | changed |  | why |')
  })

  it('shows entities of both sides and the keys that changed', () => {
    expect(row({ stricter: { x: 1 }, laxer: { x: 2 }, keys: ['value', 'a|b'] })).toBe(
      '| `a` | changed | error | why; now violated by `{"x":1}`; no longer violated by `{"x":2}`; changed: `value`, `a\\|b` |',
    )
  })

  it('cuts a long entity after 200 characters', () => {
    const text = (length: number): string => '"'.padEnd(length - 1, 'x').concat('"')
    const shown = (length: number) => row({ stricter: JSON.parse(text(length)) })
    expect(shown(200)).toContain(`\`${text(200)}\``)
    expect(shown(201)).toContain(`\`${text(201).slice(0, 200)}…\``)
  })

  it('keeps line breaks, borders and backticks inside the code they are in', () => {
    expect(row({ name: 'a\r\n\n\u2028b' })).toMatch(/^\| `a b` \|/)
    expect(row({ name: '`a`' })).toMatch(/^\| `` `a` `` \|/)
    expect(row({ name: 'a``b' })).toMatch(/^\| ``` a``b ``` \|/)
    expect(row({ name: ' ' })).toMatch(/^\| ` {3}` \|/)
    expect(row({ name: 'a b' })).toMatch(/^\| `a b` \|/)
    expect(row({ reason: 'a|b\nc' })).toMatch(/\| a\\\|b c \|$/)
  })
})
