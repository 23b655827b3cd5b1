/** The disk of a builder. */
import { statfsSync } from 'node:fs'

const MiB = 1024 ** 2

/** Tools that the builder starts report a full disk in their own words. */
export const isDiskFull = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && /\bENOSPC\b|\bEDQUOT\b|no space left on device/i.test(thrown.message)

/** How much this user can still write below the folder. */
export function freeMiB(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.floor((bavail * bsize) / MiB)
}
