/**
 * The builder process that a server starts. It gets its options through file descriptor 3, and nothing through
 * arguments or environment variables.
 */
import { readFileSync } from 'node:fs'
import { type BuilderOptions, runBuilder } from './run.js'

export type GivenToProcess = Omit<BuilderOptions, 'signal' | 'print'>

const given = JSON.parse(readFileSync(3, 'utf8')) as GivenToProcess
// A log on a full disk must not end the builder.
process.stderr.on('error', () => undefined)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
await runBuilder({ ...given, signal: stop.signal, print: (line) => void process.stderr.write(`${line}\n`) })
