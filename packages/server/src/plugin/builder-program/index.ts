/** The builder as a program, which the command line starts. */
export { groupsLack } from './cgroup.js'
export { builderLacks } from './checks.js'
export { diskLack } from './disk.js'
export { type BuilderOptions, runBuilder } from './run.js'
export { tellFault } from './tell-fault.js'
