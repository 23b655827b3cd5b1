/** What a builder says of itself, so that the status of the queue shows it. */
import { hostname } from 'node:os'
import { SERVER_VERSION } from '../../runtime/version.js'

export interface AboutBuilder {
  readonly machine: string
  readonly version: string
  readonly capabilities: readonly string[]
}

interface Offered {
  readonly concurrency: number
  readonly egress: readonly string[]
}

/** As the server takes it in the name of a builder. */
export const machineOf = (name: string): string => name.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 64) || 'unnamed'

export const aboutThisBuilder = ({ concurrency, egress }: Offered, hasGroups: boolean): AboutBuilder => ({
  machine: machineOf(hostname()),
  version: SERVER_VERSION,
  capabilities: [
    `${process.platform}/${{ x64: 'amd64' }[process.arch as string] ?? process.arch}`,
    `concurrency=${concurrency}`,
    ...(hasGroups ? ['cgroups'] : []),
    ...(egress.length > 0 ? ['egress'] : []),
  ],
})
