/** The builder as a program: what the command line starts. */
export { builderLacks } from './checks.js'
export { type BuilderOptions, runBuilder } from './run.js'
