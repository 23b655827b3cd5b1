/**
 * The engine for patterns that could keep an automaton busy: the position automaton, run 32 positions an operation.
 *
 * A bundle may leave this out as it leaves out re2js; size budgets count it with the engines. The build keeps it in a file of its own.
 */
export { positionMatcher } from './matcher.js'
export { type PositionProgram, positionProgram } from './program.js'
