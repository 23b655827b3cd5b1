/** The permission table of the documentation: for every operation, who may call it and what evidence it writes. */
import { describeAccess, describeAudit, describeTenant } from './describe-access.js'
import type { Operation } from './operation.js'

const HEADER = `# Permissions

Who may call which operation, whose tenant it works in, and the evidence that it leaves. Written from the operations
themselves by \`npm run generate\`; a test holds this page to them.

A system administrator may use every door of a person. Where several doors are named, one is enough. A missing right is
403 \`INSUFFICIENT_PERMISSIONS\`, whose \`details.reason\` says which kind; a refused change leaves \`authz.denied\`.
`

const cell = (text: string) => text.replaceAll('|', '\\|')

export function permissionTable(operations: readonly Operation[]): string {
  const domains = [...new Set(operations.map(({ name }) => name.split('.')[0] ?? ''))].sort()
  const sections = domains.map((domain) => {
    const rows = operations
      .filter(({ name }) => name.startsWith(`${domain}.`))
      .sort((a, b) => compare(a.http.path, b.http.path) || compare(a.http.method, b.http.method))
      .map((operation) => {
        const { method, path } = operation.http
        const route = `\`${method.toUpperCase()} ${path}\``
        return `| ${[route, describeAccess(operation.access), describeTenant(operation), describeAudit(operation)].map(cell).join(' | ')} |`
      })
    return `\n## ${domain}\n\n| Operation | Who | Tenant | Evidence |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `${HEADER}${sections.join('')}`
}

/** By code points, the same on every machine. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
