/** Bounds of the adapter. Each is part of what a user can rely on, so a change is a change of the product. */

/** Longest text that is matched, in UTF-16 units; a longer one fails the check. */
export const MAX_TEXT_UNITS = 65_536

/** Highest bound of a repeat, and of the product of nested repeats. */
export const MAX_REPEAT = 1000

/** Most instructions of one pattern's program. */
export const MAX_PROGRAM = 2500

/** Deepest nesting of groups: parsing and analysis recurse, and RE2 refuses deep expressions. */
export const MAX_GROUP_DEPTH = 50

/** Most instructions of a program that is not proven linear on `RegExp`: its time grows with its size. Takes `x{1000}`. */
export const MAX_OVERLAPPING_PROGRAM = 1024

/** Most instructions that an engine is given: its automaton then has few states. A larger program runs on its positions. */
export const MAX_ENGINE_PROGRAM = 16

/** Most words that a program of positions may read for one unit: about 2 ns each, 35 ms for the longest text. */
export const MAX_POSITION_WORK = 256

/** Most numbers that a position program keeps of states it has met: about 16 KiB with what finds them. */
export const MAX_KEPT_NUMBERS = 1024

/** Steps that a native search may take at one position of the text (see `native-class.ts`). */
export const MAX_NATIVE_WORK = 24
