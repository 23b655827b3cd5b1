/**
 * Reads a whole uploaded archive without writing any of it to disk: structure, names, kinds, sizes and checksums are
 * checked before its contents are used. Runs in a process of its own (`isolated.ts`).
 */
import { closeSync, openSync } from 'node:fs'
import type { Archive } from '../archive-content.js'
import { checkContent, pieces, readText } from './contents.js'
import { fault } from './fault.js'
import { type ArchiveLimits, CPU_BYTES, TEXT_BYTES_MAX } from './limits.js'
import { readStructure } from './structure.js'

/** @throws ArchiveFault when the archive is invalid; whatever `use` throws. */
export async function withArchive<T>(
  path: string,
  limits: ArchiveLimits,
  use: (archive: Archive) => Promise<T>,
): Promise<T> {
  const fd = openSync(path, 'r')
  try {
    return await use(await readArchive(fd, limits))
  } finally {
    closeSync(fd)
  }
}

async function readArchive(fd: number, limits: ArchiveLimits): Promise<Archive> {
  const startedUs = cpuUs()
  const checkTime = (cpuMsMax: number) => {
    if (cpuUs() - startedUs > cpuMsMax * 1000) throw fault('time', 'the archive takes too long to read')
  }
  const entries = await readStructure(fd, limits)
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const cpuMsMax = limits.cpuMsMax * (1 + Math.floor(bytes / CPU_BYTES))
  checkTime(cpuMsMax)
  for (const entry of entries) {
    await checkContent(fd, entry, () => checkTime(cpuMsMax))
    checkTime(cpuMsMax)
  }
  const files = new Map(entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]))
  return {
    entries,
    bytes,
    find: (name) => files.get(name) ?? null,
    pieces: (entry) => pieces(fd, entry),
    text: (entry) => readText(fd, entry, TEXT_BYTES_MAX),
  }
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
