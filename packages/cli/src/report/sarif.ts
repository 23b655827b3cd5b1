/** SARIF 2.1.0 (OASIS) for code scanning, with the positions of findings in their files. */
import { posix } from 'node:path'
import { createSarifWriter, ENTITY_FINGERPRINT, fileUri, type SarifPlace } from '@plumbline/engine/sarif'
import { escaped } from '../program/print-data.js'
import type { Finding } from './finding.js'
import { problemText, type Reporter } from './reporter.js'

/** Increase the number when fingerprints change, so that scanners do not compare old ones with new ones. */
const FILE_FINGERPRINT = 'plumblineFinding/v1'

export function sarifReporter(): Reporter {
  const problems: { message: string; place: SarifPlace }[] = []
  let writer: ReturnType<typeof createSarifWriter> | null = null
  let rootPrefix = ''
  let hasBaseline = false

  const placeIn = (file: string, region: SarifPlace['region'] = null): SarifPlace => ({
    uri: fileUri(posix.join(rootPrefix, file)),
    uriBaseId: 'SRCROOT',
    region,
  })

  const findingText = (finding: Finding): string => {
    const { file, line, column, endColumn, suppression, entity, fingerprint, entityFingerprint } = finding
    const end = endColumn === null ? {} : { endLine: line, endColumn }
    const { ruleId: id, ruleName: name, description, severity } = finding
    return (
      writer?.result({
        ...finding,
        rule: { id, name, description, severity, target: entity.target, tags: [] },
        entity: { target: entity.target, name: entity.name },
        place: placeIn(file, { startLine: line, startColumn: column, ...end }),
        fingerprints: { [FILE_FINGERPRINT]: fingerprint, [ENTITY_FINGERPRINT]: entityFingerprint },
        ...(hasBaseline ? { baselineState: suppression?.kind === 'baseline' ? 'unchanged' : 'new' } : {}),
      }) ?? ''
    )
  }

  return {
    begin(info) {
      rootPrefix = info.rootPrefix
      hasBaseline = info.hasBaseline
      writer = createSarifWriter({ version: info.version, rules: info.rules })
      return escaped(writer.begin())
    },
    file(result) {
      for (const problem of result.problems) {
        const { file, position } = problem
        const region = position ? { startLine: position.line, startColumn: position.column } : null
        problems.push({ message: problemText(problem), place: placeIn(file, region) })
      }
      return escaped(result.findings.map(findingText).join(''))
    },
    end: ({ exitCode }) =>
      escaped(writer?.end({ isWhole: exitCode === 0 || exitCode === 1, exitCode, problems }) ?? ''),
  }
}
