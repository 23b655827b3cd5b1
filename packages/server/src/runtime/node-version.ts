/**
 * Detects a Node version that cannot run the server, before anything native is loaded. A build of SQLite's driver that
 * does not fit ends the process, and that cannot be caught.
 */
type Version = readonly [major: number, minor: number]

const isBefore = (version: string, [major, minor]: Version): boolean => {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number)
  return ownMajor < major || (ownMajor === major && ownMinor < minor)
}

/** better-sqlite3 13 crashes on a Node version without it. */
export const hasNodeApi10 = (nodeVersion: string): boolean => !isBefore(nodeVersion, [22, 14])

/** Returns what is wrong with this Node version, whatever is installed. */
export const nodeProblem = (nodeVersion: string): string | null =>
  isBefore(nodeVersion, [20, 19]) ? `Plumbline needs Node 20.19 or newer; this is ${nodeVersion}` : null

/** What is wrong with this release of better-sqlite3 on this Node. */
export function driverProblem(nodeVersion: string, sqliteVersion: string): string | null {
  const isOld = isBefore(sqliteVersion, [13, 0])
  if (!isOld && !hasNodeApi10(nodeVersion)) {
    return `better-sqlite3 ${sqliteVersion} needs Node 22.14 or newer; this is ${nodeVersion}. Use a newer Node; or run \`npm install\` again where a C++ compiler is, without leaving optional packages out: it builds better-sqlite3 12`
  }
  // Later releases of 22 may change as 24.19 did; the known ones do not.
  if (isOld && !isBefore(nodeVersion, [24, 0])) {
    return `better-sqlite3 ${sqliteVersion} ends the process at random on Node 24; this is ${nodeVersion}. Run \`npm install\` again without leaving optional packages out, or use Node 22`
  }
  return null
}
