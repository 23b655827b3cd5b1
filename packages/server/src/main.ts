/** The server as a program. On SIGTERM and SIGINT it drains and ends; a second signal ends it at once. */
import { nodeProblem } from './runtime/node-version.js'
import { untilStopped } from './until-stopped.js'

const problem = nodeProblem(process.versions.node)
if (problem !== null) {
  console.error(problem)
  process.exit(1)
}

// Database, keys and spools are for this user alone.
process.umask(0o077)

// Loaded after the check: an older Node does not get through it.
const { startServer } = await import('./server.js')
const { CannotStart } = await import('./runtime/cannot-start.js')
const { BadSettings } = await import('./runtime/settings/bad-settings.js')
const { ForeignSchema } = await import('./runtime/store/foreign-schema.js')

try {
  const isClean = await untilStopped(() => startServer({ environment: process.env }))
  process.exit(isClean ? 0 : 1)
} catch (error) {
  if (error instanceof BadSettings) console.error(`The settings are wrong:\n${error.message}`)
  else console.error(error instanceof ForeignSchema || error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
