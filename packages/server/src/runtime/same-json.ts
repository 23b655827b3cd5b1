/** Whether two values are the same once they are written as JSON: the order of keys tells nothing, and what is absent is as null. */
import { isDeepStrictEqual } from 'node:util'

export const sameJson = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
