/** `@plumbline/engine/sarif`: writes findings as SARIF 2.1.0 (OASIS), piece by piece. */
export { ENTITY_FINGERPRINT, type EntityFinding, entityFindingText } from './entity-finding.js'
export { fileUri, SARIF_SCHEMA } from './log.js'
export {
  createSarifWriter,
  type SarifEnd,
  type SarifFinding,
  type SarifPlace,
  type SarifProblem,
  type SarifRegion,
  type SarifRule,
  type SarifSuppression,
  type SarifWriter,
  type SarifWriterOptions,
} from './sarif-writer.js'
