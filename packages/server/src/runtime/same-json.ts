/** Whether two values are equal when they are written as JSON. The order of keys is ignored, and absent equals null. */
import { isDeepStrictEqual } from 'node:util'

export const sameJson = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
