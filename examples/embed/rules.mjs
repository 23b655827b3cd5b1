/**
 * The rules of this service. A real one reads them from a database or a folder, and compiles them again when they
 * change.
 */
export const rules = [
  {
    name: 'version-is-semantic',
    target: 'plugin',
    severity: 'error',
    field: 'version',
    operator: 'regex',
    value: '^\\d+\\.\\d+\\.\\d+$',
  },
  {
    name: 'no-root-user',
    target: 'plugin',
    severity: 'critical',
    field: 'usesRootUser',
    operator: 'neq',
    value: true,
  },
  {
    name: 'has-a-description',
    target: 'plugin',
    severity: 'warning',
    field: 'description',
    operator: 'notEmpty',
  },
]
