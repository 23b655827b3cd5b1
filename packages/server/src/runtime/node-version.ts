/**
 * Refuses a Node that can not run the server, before anything native is loaded: better-sqlite3 13 crashes the process on
 * Node below 22.14, and a crash can not be caught.
 */
export function nodeVersionProblem(nodeVersion: string, sqliteVersion: string): string | null {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    return `Plumbline needs Node 20.19 or newer; this is ${nodeVersion}`
  }
  const sqliteMajor = Number(sqliteVersion.split('.')[0])
  if (sqliteMajor >= 13 && (major < 22 || (major === 22 && minor < 14))) {
    return `better-sqlite3 ${sqliteVersion} needs Node 22.14 or newer; this is ${nodeVersion}. Use a newer Node, or better-sqlite3 12`
  }
  return null
}
