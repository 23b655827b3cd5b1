import { Writable } from 'node:stream'
import { nearestWord } from '@plumbline/engine/words'
import { describe, expect, it } from 'vitest'
import type { Io } from '../command.js'
import { highestExit } from './exit-code.js'
import { wantsColour } from './process-io.js'
import { createProgress } from './progress.js'
import { write } from './write.js'

describe('wantsColour', () => {
  it.each([
    [[], {}, true, true],
    [[], {}, false, false],
    [[], { NO_COLOR: '1' }, true, false],
    [[], { NO_COLOR: 'false' }, true, false],
    [[], { NO_COLOR: '' }, true, true],
    [[], { FORCE_COLOR: '1' }, false, true],
    [[], { FORCE_COLOR: '0' }, true, false],
    [[], { FORCE_COLOR: '' }, false, false],
    [[], { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [[], { TERM: 'dumb' }, true, false],
    [['--color'], { NO_COLOR: '1' }, false, true],
    [['--no-color'], { FORCE_COLOR: '1' }, true, false],
    [['--no-color', '--color'], {}, false, true],
    [['--', '--color'], {}, false, false],
  ])('%j with %j on a terminal: %s gives %s', (argv, env, isTty, expected) => {
    expect(wantsColour(argv, env, isTty)).toBe(expected)
  })
})

describe('highestExit', () => {
  it.each([
    [[], 0],
    [[0, 1], 1],
    [[1, 3, 0], 3],
    [[3, 2, 1], 2],
    [[2, 70], 70],
    [[0, 99], 70],
  ])('of %j is %i', (codes, expected) => {
    expect(highestExit(codes)).toBe(expected)
  })
})

describe('nearestWord', () => {
  it('finds a swapped, missing or wrong letter, and stays silent on nonsense', () => {
    const words = ['check', 'baseline', 'explain', 'completion']
    expect(nearestWord('chekc', words)).toBe('check')
    expect(nearestWord('explan', words)).toBe('explain')
    expect(nearestWord('BASELIN', words)).toBe('baseline')
    expect(nearestWord('qqqqq', words)).toBeNull()
    expect(nearestWord('x', words)).toBeNull()
  })
})

describe('write', () => {
  it('waits for a slow reader', async () => {
    let taken = 0
    const slow = new Writable({
      highWaterMark: 4,
      write(chunk: Buffer, _encoding, done) {
        setTimeout(() => {
          taken += chunk.length
          done()
        }, 1)
      },
    })
    await write(slow, 'more than four')
    expect(taken).toBe(14)
  })

  it('does not wait for a reader that is gone', async () => {
    const gone = new Writable({ highWaterMark: 1, write: () => {} })
    const pending = write(gone, 'text')
    gone.destroy()
    await pending
    await write(gone, 'text')
  })
})

describe('createProgress', () => {
  const terminal = (stderrIsTty: boolean) => {
    let text = ''
    let nowMs = 0
    const stderr = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString()
        done()
      },
    })
    const io = { stderr, stderrIsTty, now: () => new Date(nowMs) } as unknown as Io
    return { io, text: () => text, at: (ms: number) => (nowMs = ms) }
  }

  it('shows nothing in the first second, then a bar, and wipes it', () => {
    const { io, text, at } = terminal(true)
    const progress = createProgress(io, 'files', false)
    at(900)
    progress.update(1, 4)
    expect(text()).toBe('')
    at(1200)
    progress.update(2, 4)
    expect(text()).toContain('2/4 files')
    progress.clear()
    expect(text().endsWith('\r\u001b[K')).toBe(true)
  })

  it('is silent without a terminal and with --quiet', () => {
    for (const [isTty, isQuiet] of [
      [false, false],
      [true, true],
    ] as const) {
      const { io, text, at } = terminal(isTty)
      const progress = createProgress(io, 'files', isQuiet)
      at(5000)
      progress.update(1, 2)
      progress.clear()
      expect(text()).toBe('')
    }
  })
})
