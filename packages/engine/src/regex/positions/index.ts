/**
 * Runs the patterns that `RegExp` does not run: position automata, and the adapter to re2js.
 *
 * A bundle that leaves re2js out may leave this module out too; size budgets count it with the engines. The build puts
 * it in a file of its own.
 */
export { re2js } from '../re2js.js'
export { positionMatcher } from './matcher.js'
export { type PositionProgram, positionProgram } from './program.js'
