/**
 * Turns any JavaScript value into JSON, so that hashing cannot fail.
 *
 * It is iterative, calls nothing of the value except property reads, and never throws. Source: spec billing-audit 20.
 * INVARIANT: the result shares nothing with the input, and normalising it again changes nothing.
 */
import type { JsonValue } from './json.js'
import { wellFormed } from './well-formed.js'

/** Containers at this depth become `[TRUNCATED]`. The value itself is at depth 0. */
export const MAX_DEPTH = 64
/**
 * The most values and UTF-16 units in one result. This is far above any event. It stops a sparse array of four billion
 * holes, or an exponentially shared structure, from exhausting the process.
 */
export const MAX_WORK = 2 ** 20

const TRUNCATED = '[TRUNCATED]'
const UNREADABLE = '[UNREADABLE]'

/** A container that is being filled: its source, the members left to read, and where the result goes. */
interface Frame {
  readonly source: object
  readonly keys: readonly string[] | null
  readonly length: number
  readonly target: JsonValue[] | Record<string, JsonValue>
  next: number
}

/** Returned by `read` for a value that is not a JSON value and has no replacement. */
const ABSENT = Symbol('absent')

/**
 * Returns the value as JSON that shares nothing with it. Returns null for a value that is not a JSON value and has no
 * replacement. It never throws.
 *
 * @param maxWork Values and UTF-16 units of the result; the rest becomes `[TRUNCATED]`.
 */
export function normalise(value: unknown, maxWork = MAX_WORK): JsonValue {
  const walk: Walk = { stack: [], open: new Set(), work: maxWork }
  const root = read(value, walk)
  if (walk.stack.length > 0) drain(walk)
  return root === ABSENT ? null : root
}

interface Walk {
  readonly stack: Frame[]
  /** The containers on the path from the root to the current one. */
  readonly open: Set<object>
  work: number
}

/** Fills the open containers, innermost first, until none is left. */
function drain(walk: Walk): void {
  for (let frame = walk.stack.at(-1); frame !== undefined; frame = walk.stack.at(-1)) {
    if (frame.next >= frame.length) {
      walk.open.delete(frame.source)
      walk.stack.pop()
    } else if (walk.work <= 0) {
      if (Array.isArray(frame.target)) frame.target.push(TRUNCATED)
      else frame.target[TRUNCATED] = true
      frame.next = frame.length
    } else {
      step(frame, walk)
    }
  }
}

/**
 * Reads the next member of a container. A member that is a container is pushed, and is filled before the following
 * member.
 */
function step(frame: Frame, walk: Walk): void {
  const index = frame.next++
  const key = frame.keys === null ? index : (frame.keys[index] ?? '')
  let value: JsonValue | typeof ABSENT
  try {
    value = read((frame.source as Record<string | number, unknown>)[key], walk)
  } catch {
    value = UNREADABLE
  }
  if (Array.isArray(frame.target)) {
    frame.target.push(value === ABSENT ? null : value)
  } else if (value !== ABSENT) {
    walk.work -= (key as string).length
    setMember(frame.target, wellFormed(key as string), value)
  }
}

/** Sets a member. `__proto__` is a key like any other. Of a repeated key the last value counts. */
function setMember(target: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}

function read(value: unknown, walk: Walk): JsonValue | typeof ABSENT {
  walk.work--
  switch (typeof value) {
    case 'string':
      return readString(value, walk)
    case 'number':
      return Number.isFinite(value) ? (value === 0 ? 0 : value) : null
    case 'boolean':
      return value
    case 'bigint':
      return value.toString()
    case 'object':
      return value === null ? null : readObject(value, walk)
    default:
      return ABSENT
  }
}

function readString(text: string, walk: Walk): string {
  walk.work -= text.length
  return walk.work < 0 ? TRUNCATED : wellFormed(text)
}

function readObject(value: object, walk: Walk): JsonValue {
  if (walk.open.has(value)) return '[CIRCULAR]'
  try {
    if (Array.isArray(value)) {
      return open(walk, { source: value, keys: null, length: value.length, target: [], next: 0 })
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) {
      if (walk.stack.length >= MAX_DEPTH) return TRUNCATED
      const keys = Object.keys(value)
      return open(walk, { source: value, keys, length: keys.length, target: {}, next: 0 })
    }
    if (value instanceof Date) return readDate(value)
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[BINARY ${value.byteLength}]`
    return '[OBJECT]'
  } catch {
    return UNREADABLE
  }
}

function open(walk: Walk, frame: Frame): JsonValue {
  if (walk.stack.length >= MAX_DEPTH) return TRUNCATED
  walk.stack.push(frame)
  walk.open.add(frame.source)
  return frame.target
}

function readDate(value: Date): string | null {
  // Calls the method of the prototype, never one that the value overrides.
  const time = Date.prototype.getTime.call(value)
  return Number.isFinite(time) ? Date.prototype.toISOString.call(value) : null
}
