/** The permission table of the documentation: for every operation, who may call it and what evidence it writes. */
import { describeAccess, describeAudit, describeTenant } from './describe-access.js'
import type { Operation } from './operation.js'

const HEADER = `# Permissions

Who can call each operation, which tenant it works in, and the audit events that it leaves. \`npm run generate\` writes
this page from the operations; a test compares the two.

A system administrator can call every operation that a person can call. Where several permissions are named, one is
enough. A caller without the permission gets 403 \`INSUFFICIENT_PERMISSIONS\`, and \`details.reason\` says what is missing. A
refused change is recorded as \`authz.denied\`.
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
