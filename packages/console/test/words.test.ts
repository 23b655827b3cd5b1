/** Every text of the console is in a catalogue, in each language and with the same placeholders. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type Pair, say } from '../src/ui/words.js'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })

/** Attributes whose text people see or hear. */
const SPOKEN = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'aria-label',
  'aria-description',
  'hint',
  'question',
  'note',
])
/** The product's own name, and names of keys. */
const NAMES = new Set(['Plumbline', '⌘K', 'g', 'JSON', 'YAML', 'CSV', 'SARIF', 'JSONL', 'UTC'])
const isText = (text: string) => /\p{L}/u.test(text) && !NAMES.has(text.trim())

function textsIn(source: string, name: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isJsxText(node) && isText(node.text)) found.push(node.text.trim())
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText()) && node.initializer !== undefined) {
      const value = ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer
      if (value !== undefined && ts.isStringLiteralLike(value) && isText(value.text)) found.push(value.text)
    }
    if (ts.isJsxExpression(node) && node.expression !== undefined && !ts.isJsxAttribute(node.parent)) {
      const { expression } = node
      if (ts.isStringLiteralLike(expression) && isText(expression.text)) found.push(expression.text)
    }
    ts.forEachChild(node, walk)
  }
  walk(file)
  return found
}

describe('texts', () => {
  it('are found where they stand outside a catalogue', () => {
    expect(textsIn('<p title="Close">Open {"now"}</p>', 'a.tsx')).toEqual(['Close', 'Open', 'now'])
    expect(textsIn('<p title={t("close")}>{name} · 3</p>', 'a.tsx')).toEqual([])
  })

  it.each(files.filter((file) => file.endsWith('.tsx')))('%s has none outside the catalogues', (file) => {
    expect(textsIn(readFileSync(join(SOURCES, file), 'utf8'), file)).toEqual([])
  })
})

const isPair = (value: unknown): value is Pair =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string')

const places = (text: string) => [...text.matchAll(/\{([a-zA-Z]+)/g)].map(([, name]) => name).sort()

describe('catalogues', () => {
  const catalogues = files.filter((file) => /(^|\/)words(-\w+)?\.ts$/.test(file) && file !== 'ui/words.ts')

  it('are found', () => expect(catalogues.length).toBeGreaterThan(3))

  it.each(catalogues)('%s says each text in both languages, with the same values', async (file) => {
    const module: Record<string, unknown> = await import(pathToFileURL(join(SOURCES, file)).href)
    const pairs = Object.values(module).flatMap((words) => Object.entries(words as Record<string, unknown>))
    expect(pairs.length).toBeGreaterThan(0)
    for (const [name, pair] of pairs) {
      expect(isPair(pair), name).toBe(true)
      const [en, de] = pair as Pair
      expect(en.trim(), name).not.toBe('')
      expect(de.trim(), name).not.toBe('')
      expect(new Set(places(de)), name).toEqual(new Set(places(en)))
    }
  })
})

describe('say', () => {
  it('puts values in, chooses the form for a number, and writes numbers as the language does', () => {
    const pair: Pair = ['{count} {count|rule|rules} of {name}', '{count} {count|Regel|Regeln} von {name}']
    expect(say(pair, 'en', { count: 1, name: 'A' })).toBe('1 rule of A')
    expect(say(pair, 'en', { count: 1200, name: 'A' })).toBe('1,200 rules of A')
    expect(say(pair, 'de', { count: 1200, name: 'A' })).toBe('1.200 Regeln von A')
  })

  it('leaves what it was not given', () => expect(say(['{name}', '{name}'], 'en')).toBe('{name}'))
})
