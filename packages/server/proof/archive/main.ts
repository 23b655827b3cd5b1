/**
 * `npm run proof -- archive`: crafted archives, and many mutated ones, through the isolated reader. Each is refused, or
 * unpacked into its own folder and nowhere else; memory and time stay within their bounds.
 */
import { proveArchives } from './prove.js'

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? otherwise : Number(process.argv[at + 1])
}

const report = await proveArchives({ mutations: option('mutations', 20_000), seed: option('seed', 1) })
console.log(JSON.stringify(report, null, 2))
if (report.problems.length > 0) process.exitCode = 1
