/**
 * Reads every page of a list that has the newest record first, because more than a page may be written between two
 * polls.
 *
 * @param read one page, with its records in the order in which they were written.
 * @returns the records of all pages in that order, each once: records that are written meanwhile move others to the next
 *   page.
 */
export async function allPages<R extends { readonly id: string }>(
  read: (offset: number) => Promise<readonly R[]>,
  size: number,
): Promise<R[]> {
  const found: R[] = []
  const known = new Set<string>()
  for (let offset = 0; ; offset += size) {
    const page = await read(offset)
    found.unshift(...page.filter(({ id }) => !known.has(id)))
    for (const { id } of page) known.add(id)
    if (page.length < size) return found
  }
}
