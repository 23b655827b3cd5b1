/** What a driver's error means to us; drivers' texts never go further than the log. */

/** The columns of the unique constraint that a write broke, as `table.column` names, or null for another error. */
export function brokenUniqueConstraint(error: unknown): { readonly constraint: string } | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code, constraint, message } = at as Error & { code?: string; constraint?: string }
    if (code === '23505') return { constraint: constraint ?? '' }
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
      return { constraint: message.replace(/^UNIQUE constraint failed: (index ')?/, '').replace(/'$/, '') }
    }
  }
  return null
}

/** A conflict between transactions that running the whole transaction again resolves (PostgreSQL class 40). */
export function isSerializationFailure(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as Error & { code?: string }
    if (code === '40001' || code === '40P01') return true
  }
  return false
}
