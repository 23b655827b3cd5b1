/**
 * `npm run bench [area …] [--quick] [--write]`: runs the areas, prints their tables as Markdown and, with `--write`, puts
 * them between the area's markers in docs/performance.md together with the machine they were measured on.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { BenchArea, BenchTable } from './harness.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const page = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})

const known = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(`${here}${entry.name}/area.ts`))
  .map((entry) => entry.name)
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0 || known.length === 0) {
  console.error(`unknown area \`${unknown.join(', ')}\`: choose among ${known.join(', ')}`)
  process.exit(2)
}
if (values.write && values.quick) {
  console.error('`--write` publishes full runs only: leave `--quick` out')
  process.exit(2)
}

for (const name of positionals.length > 0 ? positionals : known) {
  const { area } = (await import(pathToFileURL(`${here}${name}/area.ts`).href)) as { area: BenchArea }
  const started = performance.now()
  console.error(`${name}: measuring ${area.summary}${values.quick ? '' : ', which can take some minutes'}`)
  const tables = await area.run({ quick: values.quick })
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const text = tables.map(markdown).join('\n\n')
  console.log(`# ${area.name}: ${area.summary} (${seconds} s)\n\n${text}\n`)
  if (tables.length === 0) {
    console.error(`${area.name} measured nothing`)
    process.exitCode = 1
  }
  if (values.write) publish(name, text)
}

function markdown(table: BenchTable): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  const head = [line(table.columns), line(table.columns.map((_, index) => (index === 0 ? '---' : '--:')))]
  return [
    `### ${table.title} (${table.unit})`,
    '',
    ...head,
    ...table.rows.map(line),
    ...(table.note ? ['', table.note] : []),
  ].join('\n')
}

function publish(name: string, text: string): void {
  const before = readFileSync(page, 'utf8')
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const from = before.indexOf(start)
  const to = before.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no markers ${start} … ${end}`)
  const cpu = cpus()
  const machine = `Measured on ${cpu.length} cores (${cpu[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}. Repeat: \`npm run bench -- ${name}\`.`
  writeFileSync(page, `${before.slice(0, from + start.length)}\n\n${machine}\n\n${text}\n\n${before.slice(to)}`)
}
