/**
 * What runs patterns that `RegExp` does not: the position automaton, for patterns that could keep another one busy, and the
 * adapter to re2js.
 *
 * A bundle may leave this out as it leaves out re2js; size budgets count it with the engines. The build keeps it in a file of its own.
 */
export { re2js } from '../re2js.js'
export { positionMatcher } from './matcher.js'
export { type PositionProgram, positionProgram } from './program.js'
