import type { BuildOptions, Plugin } from 'esbuild'

export const forNode: BuildOptions
export function readerEntries(packages: string): Record<string, string>
export function startsReader(path: string): boolean
export function workspaceSources(packages: string): Plugin
export const ownAddresses: Plugin
