/** The builder that a server started: what it works with comes by descriptor 3, and nothing by arguments or environment. */
import { readFileSync } from 'node:fs'
import { type BuilderOptions, runBuilder } from './run.js'

export type GivenToProcess = Omit<BuilderOptions, 'signal' | 'print'>

const given = JSON.parse(readFileSync(3, 'utf8')) as GivenToProcess
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
await runBuilder({ ...given, signal: stop.signal, print: (line) => void process.stderr.write(`${line}\n`) })
