/** Limits of the adapter. Users can rely on each of them, so changing one changes the product. */

/** The longest text that is matched, in UTF-16 units. The check fails on a longer text. */
export const MAX_TEXT_UNITS = 65_536

/** The highest bound of a repeat, and the highest product of nested repeat bounds. */
export const MAX_REPEAT = 1000

/** The most instructions of a pattern's program. */
export const MAX_PROGRAM = 2500

/** The deepest nesting of groups. Parsing and analysis are recursive, and RE2 refuses deep expressions. */
export const MAX_GROUP_DEPTH = 50

/**
 * The most instructions of a program that is not proven linear on `RegExp`, because its time grows with its size.
 * `x{1000}` is within the limit.
 */
export const MAX_OVERLAPPING_PROGRAM = 1024

/**
 * The most instructions of a program that an engine runs, so that its automaton has few states. A larger program runs
 * on its position automaton.
 */
export const MAX_ENGINE_PROGRAM = 16

/**
 * The most words that a position automaton may read for one unit of the text: about 2 ns each, 35 ms for the longest
 * text.
 */
export const MAX_POSITION_WORK = 256

/** The most numbers that a position automaton caches for the states it has visited: about 16 KiB, index included. */
export const MAX_KEPT_NUMBERS = 1024

/** The most steps that a search on `RegExp` may take at one position of the text (see `native-class.ts`). */
export const MAX_NATIVE_WORK = 24
