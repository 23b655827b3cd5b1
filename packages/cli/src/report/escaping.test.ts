import { describe, expect, it } from 'vitest'
import { printable } from '../program/printable.js'
import { escapeData, escapeProperty } from './github.js'
import { xml } from './junit.js'
import { code, escapeCell, sentence } from './markdown.js'
import { count, severityCounts, valueText } from './reporter.js'

describe('printable', () => {
  it.each([
    ['\u001b[31mred', '\\u001b[31mred'],
    ['a\nb\r', 'a\\u000ab\\u000d'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['\u2066\u2069\u200e', '\\u2066\\u2069\u200e'],
    ['\u009b31m', '\\u009b31m'],
    ['grün 🚀', 'grün 🚀'],
  ])('%j is shown as %s', (text, expected) => {
    expect(printable(text)).toBe(expected)
  })
})

describe('escapeCell', () => {
  it.each([
    ['a|b', 'a\\|b'],
    ['@user', '&#64;user'],
    ['<img src=x>', '&lt;img src=x&gt;'],
    ['[x](y)', '\\[x\\]\\(y\\)'],
    ['&lt;', '&amp;lt;'],
    ['`a` *b* _c_', '\\`a\\` \\*b\\* \\_c\\_'],
    ['a\nb', 'a\\u000ab'],
  ])('%j cannot act as markup', (text, expected) => {
    // The escapes that `printable` makes are escaped once more, as every backslash is.
    expect(escapeCell(text)).toBe(expected.replace('\\u000a', '\\\\u000a'))
  })
})

describe('sentence', () => {
  it.each([
    ['`runAsRoot` must not equal true', '`runAsRoot` must not equal true'],
    ['`a` must match `^x|y*$`', '`a` must match `^x\\|y*$`'],
    ['`a` must equal "*b*"', '`a` must equal "\\*b\\*"'],
    ['a ` b', 'a \\` b'],
    ['`a` <b> `c', '`a` &lt;b&gt; \\`c'],
    ['``', '\\`\\`'],
  ])('%j keeps its code and has no other markup', (text, expected) => {
    expect(sentence(text)).toBe(expected)
  })
})

describe('code', () => {
  it('is fenced by more backticks than it holds', () => {
    expect(code('plain')).toBe('`plain`')
    expect(code('a`b')).toBe('`` a`b ``')
    expect(code('``')).toBe('``` `` ```')
    expect(code('a|b')).toBe('`a\\|b`')
  })
})

describe('workflow commands', () => {
  it('escape what ends a property, a command or a line', () => {
    expect(escapeData('100%: a,b\r\n::error::x')).toBe('100%25: a,b%0D%0A::error::x')
    expect(escapeProperty('100%: a,b')).toBe('100%25%3A a%2Cb')
  })
})

describe('xml', () => {
  it('escapes markup and replaces what XML cannot hold', () => {
    expect(xml('<a href="x">&</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;')
    expect(xml(']]>')).toBe(']]&gt;')
    expect(xml('a\nb\tc')).toBe('a&#10;b&#9;c')
    expect(xml('\u0000\u001b\ufffe')).toBe('\ufffd\ufffd\ufffd')
    expect(xml('\ud800x\udc00 🚀')).toBe('\ufffdx\ufffd 🚀')
    expect(xml('\u009b31m\u0085\u007f')).toBe('\\u009b31m\\u0085\\u007f')
    expect(xml('\u202egnp.exe\u2066\u2069\ufeff\u2028')).toBe('\\u202egnp.exe\\u2066\\u2069\\ufeff\\u2028')
  })
})

describe('counting', () => {
  it('is in words', () => {
    expect([count(0, 'file'), count(1, 'file'), count(2, 'entity')]).toEqual(['0 files', '1 file', '2 entities'])
    expect(severityCounts({ warning: 1, critical: 2, error: 3 })).toBe('2 critical, 3 errors, 1 warning')
    expect(valueText('x'.repeat(200), 10)).toBe('"xxxxxxxx…')
  })
})
