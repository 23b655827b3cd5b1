/** The disk of a builder. */
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'

const MiB = 1024 ** 2

/** Tools that the builder starts report a full disk in their own words. */
export const isDiskFull = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && /\bENOSPC\b|\bEDQUOT\b|no space left on device/i.test(thrown.message)

/** How much this user can still write below the folder. */
export function freeMiB(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.floor((bavail * bsize) / MiB)
}

/** MiB on the disk of the builder: the image that leaves the sandbox, and its parts that are pushed. Steps write to memory. */
export const roomFor = ({ imageMb }: { readonly imageMb: number }): number => 2 * imageMb

/** Why builds can fill the disk of the folder, with the fix; null when there is room. The folder may not exist yet. */
export function diskLack(limits: { readonly imageMb: number }, folder = tmpdir()): string | null {
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  const [free, wanted] = [freeMiB(existing), roomFor(limits)]
  return free < wanted
    ? `the disk of ${folder} has ${free} MiB free, and a build may need ${wanted}: free space, or choose another folder for builds (--scratch, PLUGIN_BUILD_SCRATCH)`
    : null
}
