/** The list of guards fits the sources: each has one marker, each marker a guard, and what is left without it can be run. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { BUGS } from '../proof/billing/bugs.js'
import { ISOLATION, isRun } from '../proof/guard.js'
import { guards } from '../proof/guards.js'
import { REPORT_BUGS } from '../proof/guards-reports.js'
import { TENANT_GUARDS } from '../proof/guards-tenants.js'
import { mutate } from '../proof/mutate.js'
import { markedFiles, mutantOf, testsNamed } from '../proof/places.js'

const folder = fileURLToPath(new URL('../', import.meta.url))
const files = markedFiles()

it.each(guards)('$name', (guard) => {
  const { file, text } = mutantOf(guard, files)
  expect(text).not.toBe(readFileSync(join(folder, file), 'utf8'))
  if (file.endsWith('.ts')) expect(mistakesOf(text)).toEqual([])
  expect(isRun(guard.test) ? [guard.test] : testsNamed(guard.test)).toHaveLength(1)
})

it.each(BUGS)('planted bug: $name', ({ planted }) => {
  for (const { file, find } of planted) {
    expect(readFileSync(join(folder, '..', file), 'utf8').split(find), `${file}: ${find}`).toHaveLength(2)
  }
})

it.each(Object.entries(REPORT_BUGS))('planted bug of reports: %s', (_, name) => {
  expect(guards.filter((each) => each.name === name)).toHaveLength(1)
})

it('are many, with different names in kebab-case', () => {
  expect(guards.length).toBeGreaterThanOrEqual(50)
  expect(new Set(guards.map(({ name }) => name)).size).toBe(guards.length)
  expect(guards.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([])
  expect(TENANT_GUARDS.filter(({ test }) => test === ISOLATION).length).toBeGreaterThanOrEqual(10)
})

it('are marked once each, and no marker is left over', () => {
  const marked = guards.filter(({ change }) => change.kind !== 'quote')
  expect([...files.keys()].toSorted()).toEqual(marked.map(({ name }) => name).toSorted())
  expect([...files].filter(([, places]) => places.length !== 1)).toEqual([])
})

it('are quoted only where no comment of TypeScript can stand', () => {
  const quoted = guards.flatMap(({ change }) => (change.kind === 'quote' ? [change.file] : []))
  expect(quoted.filter((file) => file.endsWith('.ts') || !existsSync(join(folder, file)))).toEqual([])
})

describe('A marked place', () => {
  const SOURCE = `
    // guard: door
    if (isClosed(door)) throw closed()
    const own = and(
      // guard: own
      eq(t.orgId, orgId),
      // guard: later
      gt(t.id, after),
    )
    const isOpen =
      isDay &&
      // guard: unlocked
      !isLocked(door, 'front')
  `
  it.each([
    ['door', { kind: 'drop' }, 'throw closed', undefined],
    ['door', { kind: 'value', put: 'false' }, 'isClosed(door)', 'if (false) throw closed()'],
    ['own', { kind: 'drop' }, 'eq(t.orgId, orgId)', 'gt(t.id, after)'],
    ['later', { kind: 'swap', find: 'after', put: "''" }, 'after)', "gt(t.id, '')"],
    ['unlocked', { kind: 'drop' }, 'isLocked', 'isDay'],
    ['unlocked', { kind: 'swap', find: ", 'front'", put: '' }, "'front'", '!isLocked(door)'],
  ] as const)('%s: %o', (name, change, gone, left) => {
    const changed = mutate(SOURCE, name, change)
    expect(changed).not.toContain(gone)
    if (left !== undefined) expect(changed).toContain(left)
    expect(mistakesOf(changed)).toEqual([])
  })

  it('is refused when it is not there, or holds no such text', () => {
    expect(() => mutate(SOURCE, 'window', { kind: 'drop' })).toThrow(/window/)
    expect(() => mutate(SOURCE, 'door', { kind: 'swap', find: 'window', put: '' })).toThrow(/window/)
  })
})

/** Of syntax. */
const mistakesOf = (text: string): unknown[] =>
  ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { target: ts.ScriptTarget.ESNext } })
    .diagnostics ?? []
