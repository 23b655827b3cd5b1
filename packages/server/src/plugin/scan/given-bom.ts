/**
 * A bill of materials from a program of the operator: CycloneDX in JSON, from which the server reads the package names.
 * Pure.
 */
import { ReportFault } from './report.js'

export interface GivenBom {
  readonly document: Readonly<Record<string, unknown>>
  readonly names: readonly string[]
}

const VERSIONS = ['1.4', '1.5', '1.6']
const COMPONENTS_MAX = 100_000

/** @throws ReportFault */
export function readBom(value: unknown): GivenBom {
  const document = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
  if (document['bomFormat'] !== 'CycloneDX') throw new ReportFault('/bomFormat', 'must be CycloneDX')
  if (!VERSIONS.includes(String(document['specVersion'])))
    throw new ReportFault('/specVersion', `must be one of ${VERSIONS.join(', ')}`)
  const { components } = document
  if (!Array.isArray(components)) throw new ReportFault('/components', 'must be a list')
  if (components.length > COMPONENTS_MAX)
    throw new ReportFault('/components', `contains more than ${COMPONENTS_MAX} components`)
  const names = components.flatMap((each) => {
    const { group, name } = (each ?? {}) as { group?: unknown; name?: unknown }
    if (typeof name !== 'string' || name === '' || name.length > 300) return []
    return [typeof group === 'string' && group.startsWith('@') ? `${group}/${name}` : name]
  })
  return { document, names: [...new Set(names)].sort() }
}
