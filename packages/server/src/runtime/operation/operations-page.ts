/** The pages of the specification that are generated from the operations and from the catalogue of errors. */
import { ERROR_CATALOGUE } from '../errors.js'
import type { Operation } from './operation.js'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
const route = ({ http }: Operation) => `\`${http.method.toUpperCase()} ${http.path}\``

/** `docs/specification/operations.md`. */
export function operationsPage(operations: readonly Operation[]): string {
  const domains = [...new Set(operations.map(({ name }) => name.split('.')[0] ?? ''))].sort()
  const sections = domains.map((domain) => {
    const rows = operations
      .filter(({ name }) => name.startsWith(`${domain}.`))
      .sort((a, b) => compare(a.http.path, b.http.path) || compare(a.http.method, b.http.method))
      .map((each) =>
        row([route(each), `\`${each.name}\``, each.summary, each.errors.map((code) => `\`${code}\``).join(' ')]),
      )
    return `\n## ${domain}\n\n| Route | Operation | Does | Refuses with |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `# Operations

Every operation of the API: ${operations.length} in ${domains.length} domains. \`npm run generate\` writes this page from the operations; a test compares the two.

The last column lists what an operation refuses with besides the codes that every operation has: those of authentication and access, validation, rate
limits and quotas. Who may call an operation, and what is audited: [permissions](../reference/permissions.md). Bodies and answers: \`/api/docs\` of a running server.
${sections.join('')}`
}

/** `docs/specification/codes.md`. */
export function codesPage(operations: readonly Operation[]): string {
  const rows = Object.entries(ERROR_CATALOGUE).map(([code, { status, title }]) => {
    const declaredBy = operations.filter(({ errors }) => (errors as readonly string[]).includes(code)).length
    return row([`\`${code}\``, String(status), title, declaredBy === 0 ? '' : String(declaredBy)])
  })
  return `# Codes

Every code that the server refuses with. \`npm run generate\` writes this page from the catalogue of errors; a test compares the two. Clients
switch on \`code\`; the text of a message may change. The form of an answer: [platform, section 2](platform.md#2-errors).

The last column counts the operations that declare the code. Codes without a count belong to every operation, or to what stands before operations.

| Code | Status | Means | Operations |
|---|---|---|---|
${rows.join('\n')}
`
}
