/**
 * Strict JSON (RFC 8259) with positions and errors for duplicate keys, which `JSON.parse` does not give.
 * INVARIANT: accepts exactly what `JSON.parse` accepts, except duplicate keys and nesting beyond the limit, and yields
 * the same values.
 */
import { nestingMax, type Path, type Span, type SpanIndex } from './located.js'

export class JsonSyntaxError extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
    this.name = 'JsonSyntaxError'
  }
}

interface Node {
  readonly keyStart: number
  readonly start: number
  end: number
  children: Map<string, Node> | Node[] | null
}

export interface JsonDocument {
  readonly value: unknown
  readonly spans: SpanIndex
}

/** @param base the offset of `text` in the file, for lines of NDJSON. @throws JsonSyntaxError */
export function parseJson(text: string, base = 0): JsonDocument {
  const reader = new JsonReader(text, base)
  const { value, node } = reader.readDocument()
  return { value, spans: { find: (path) => findSpan(node, path) } }
}

function findSpan(root: Node, path: Path): Span {
  let node = root
  for (const step of path) {
    const { children } = node
    const next = Array.isArray(children) ? children[Number(step)] : children?.get(String(step))
    if (!next) break
    node = next
  }
  return { keyStart: node.keyStart, valueStart: node.start, valueEnd: node.end }
}

interface Read {
  readonly value: unknown
  readonly node: Node
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these inside strings
const plainText = /[^"\\\u0000-\u001f]*/y
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class JsonReader {
  private at = 0

  constructor(
    private readonly text: string,
    private readonly base: number,
  ) {}

  readDocument(): Read {
    this.skipSpace()
    const read = this.readValue(0, this.at)
    this.skipSpace()
    if (this.at < this.text.length) throw this.error(`unexpected ${this.here()} after the value`)
    return read
  }

  private readValue(depth: number, keyStart: number): Read {
    const start = this.at
    if (depth > nestingMax) throw this.error(`nested deeper than ${nestingMax} levels`)
    const node: Node = { keyStart: this.base + keyStart, start: this.base + start, end: 0, children: null }
    const value = this.readContent(depth, node)
    node.end = this.base + this.at
    return { value, node }
  }

  private readContent(depth: number, node: Node): unknown {
    const character = this.text[this.at]
    if (character === '{') return this.readObject(depth, node)
    if (character === '[') return this.readArray(depth, node)
    if (character === '"') return this.readString()
    for (const [word, value] of literals) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return value
      }
    }
    numberPattern.lastIndex = this.at
    const match = numberPattern.exec(this.text)
    if (!match) throw this.error(character === undefined ? 'a value is missing' : `unexpected ${this.here()}`)
    this.at += match[0].length
    return Number(match[0])
  }

  private readObject(depth: number, node: Node): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    const children = new Map<string, Node>()
    node.children = children
    this.at++
    this.skipSpace()
    if (this.take('}')) return object
    for (;;) {
      const keyStart = this.at
      if (this.text[this.at] !== '"') throw this.error(`expected a key in double quotes, found ${this.here()}`)
      const key = this.readString()
      if (children.has(key)) throw this.error(`key ${JSON.stringify(key)} appears twice`, keyStart)
      this.skipSpace()
      if (!this.take(':')) throw this.error(`expected : after the key, found ${this.here()}`)
      this.skipSpace()
      const read = this.readValue(depth + 1, keyStart)
      children.set(key, read.node)
      // A plain assignment to `__proto__` would set the prototype instead of a key.
      if (key === '__proto__') {
        Object.defineProperty(object, key, { value: read.value, writable: true, enumerable: true, configurable: true })
      } else {
        object[key] = read.value
      }
      this.skipSpace()
      if (this.take('}')) return object
      if (!this.take(',')) throw this.error(`expected , or } in the object, found ${this.here()}`)
      this.skipSpace()
    }
  }

  private readArray(depth: number, node: Node): unknown[] {
    const array: unknown[] = []
    const children: Node[] = []
    node.children = children
    this.at++
    this.skipSpace()
    if (this.take(']')) return array
    for (;;) {
      const read = this.readValue(depth + 1, this.at)
      array.push(read.value)
      children.push(read.node)
      this.skipSpace()
      if (this.take(']')) return array
      if (!this.take(',')) throw this.error(`expected , or ] in the list, found ${this.here()}`)
      this.skipSpace()
    }
  }

  private readString(): string {
    this.at++
    let result = ''
    for (;;) {
      plainText.lastIndex = this.at
      const plain = plainText.exec(this.text)?.[0] ?? ''
      this.at += plain.length
      result += plain
      const character = this.text[this.at]
      if (character === '"') {
        this.at++
        return result
      }
      if (character === undefined) throw this.error('a string is not closed')
      if (character !== '\\') throw this.error('a line break or control character inside a string')
      result += this.readEscape()
    }
  }

  private readEscape(): string {
    const letter = this.text[this.at + 1] ?? ''
    if (letter === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.error('\\u takes four hexadecimal digits')
      this.at += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const plain = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined
    if (plain === undefined) throw this.error(`unknown escape \\${letter}`)
    this.at += 2
    return plain
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at++
    }
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private here(): string {
    const point = this.text.codePointAt(this.at)
    return point === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(point))
  }

  private error(message: string, at = this.at): JsonSyntaxError {
    return new JsonSyntaxError(message, this.base + at)
  }
}

const literals: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
