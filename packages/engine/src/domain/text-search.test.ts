import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePattern } from '../regex/parse.js'
import { countMachine, listMachine, patternMachine, substringMachine, type TextMachine } from './text-machine.js'
import { listTexts, searchText } from './text-search.js'

const accepts = (machine: TextMachine, text: string): boolean => {
  let state = machine.start
  for (let at = 0; at < text.length; at++) state = machine.step(state, text.charCodeAt(at))
  return machine.accepts(state)
}

const machineOf = (pattern: string): TextMachine => {
  const parsed = parsePattern(pattern)
  if (!('node' in parsed)) throw new Error(`refused: ${pattern}`)
  return patternMachine(parsed.node)
}

const patterns = [
  'a',
  '^a',
  'a$',
  '^$',
  '^a*b$',
  '\\bab\\b',
  '\\Ba',
  '(?:a|b){2,3}c?$',
  '^[^a]+$',
  '\\s',
  '.',
  '^.$',
  'a|^b',
  '$a|b^',
]
const anyText = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', ' ', '\n', '\u2028', '_', '-', 'A', '\u0130', '\u212a'),
  maxLength: 6,
})

describe('text machines', () => {
  it('a pattern machine accepts what RegExp matches', () => {
    fc.assert(
      fc.property(fc.constantFrom(...patterns), anyText, (pattern, text) => {
        expect(accepts(machineOf(pattern), text)).toBe(new RegExp(pattern).test(text))
      }),
      { numRuns: 2_000 },
    )
  })

  it('a substring machine ignores case exactly as toLowerCase does', () => {
    fc.assert(
      fc.property(fc.constantFrom('a', 'ab', 'aba', 'i', 'i\u0307', 'k', 'bi', ''), anyText, (part, text) => {
        const machine = substringMachine(part)
        expect(machine !== null && accepts(machine, text)).toBe(text.toLowerCase().includes(part))
      }),
      { numRuns: 2_000 },
    )
  })

  it('has no machine for texts whose case depends on their neighbours', () => {
    expect(substringMachine('\u03c3')).toBeNull()
    expect(substringMachine('\ud801')).toBeNull()
  })

  it('a settled machine never changes its answer', () => {
    const machines = [...patterns.map(machineOf), listMachine(['ab', 'abc']), countMachine(null, 0, 4, (n) => n < 3)]
    fc.assert(
      fc.property(fc.constantFrom(...machines), anyText, anyText, (machine, start, rest) => {
        let state = machine.start
        for (let at = 0; at < start.length; at++) state = machine.step(state, start.charCodeAt(at))
        const settled = machine.settled(state)
        fc.pre(settled !== null)
        expect(accepts(machine, start + rest)).toBe(settled)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('searchText', () => {
  it('finds the shortest text that all machines agree on', () => {
    const demands = [
      { machine: machineOf('^[a-z]+$'), accepts: true },
      { machine: machineOf('b.*a'), accepts: true },
      { machine: listMachine(['ba']), accepts: false },
    ]
    const result = searchText(demands)
    expect(result.status === 'found' && result.value.length).toBe(3)
  })

  it('proves that two languages do not meet', () => {
    const demands = ['^\\d+\\.\\d+$', '^[a-z]'].map((pattern) => ({ machine: machineOf(pattern), accepts: true }))
    expect(searchText(demands).status).toBe('none')
  })

  it('gives up instead of walking an unbounded product', () => {
    const demands = Array.from({ length: 14 }, (_, index) => ({
      machine: machineOf(`${String.fromCharCode(97 + index)}.{${12 + index}}z`),
      accepts: true,
    }))
    expect(searchText(demands).status).toBe('unknown')
  })
})

describe('listTexts', () => {
  const digits = Array.from('0123456789', (digit) => digit.charCodeAt(0))
  it('lists a finite language whole', () => {
    expect(listTexts([{ machine: machineOf('^[5-7]\\d$'), accepts: true }], digits)).toHaveLength(30)
  })
  it('refuses to list an infinite one', () => {
    expect(listTexts([{ machine: machineOf('^\\d+$'), accepts: true }], digits)).toBeNull()
  })
})
