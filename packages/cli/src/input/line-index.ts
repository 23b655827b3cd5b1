/** Converts offsets of a text to lines and columns, and returns the text of a line. Line breaks are LF and CRLF. */
import type { Position } from './position.js'

export class LineIndex {
  private readonly starts: number[] = [0]

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1)
  }

  positionOf(offset: number): Position {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) + 1 }
  }

  lineText(line: number): string {
    const start = this.starts[line - 1]
    if (start === undefined) return ''
    const end = this.starts[line]
    return this.text.slice(start, end === undefined ? this.text.length : end - 1).replace(/\r$/, '')
  }
}
