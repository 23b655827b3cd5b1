/**
 * Audit events as evidence: scrubbed, canonical, hash-chained and provable. A person who trusts neither the server nor
 * its database can verify them.
 *
 * Every function that hashes or signs takes a `CryptoPort` first. `nobleCrypto` from here runs anywhere; `nodeCrypto`
 * from `@plumbline/audit-chain/node` is several times faster.
 */
export {
  ACTIONS,
  type Action,
  type ActionName,
  defaultOutcome,
  type Emitter,
  isRemoteAllowed,
} from './actions/catalogue.js'
export type { Outcome } from './actions/outcome.js'
export { type PreparedDetails, prepareDetails } from './actions/prepare-details.js'
export { type BundleOptions, type BundleReport, BundleVerifier } from './bundle/bundle-verifier.js'
export { BUNDLE_VERSION, type BundleManifest, formatManifest, readManifest } from './bundle/manifest.js'
export { canonicalise, canonicalText } from './canonical/jcs.js'
export type { JsonObject, JsonValue } from './canonical/json.js'
export { normalise } from './canonical/normalise.js'
export {
  byTime,
  type CheckLogRow,
  readSealLine,
  type SealedCheck,
  sealedCheck,
  sealLine,
  sealSum,
} from './check-log/seal.js'
export {
  addClaim,
  CHECK_LATE_MS,
  CHECK_PRUNE_ACTION,
  CHECK_SEAL_ACTION,
  type CheckLogClaims,
  type CheckLogFinding,
  type CheckLogReason,
  type CheckLogReport,
  NO_CLAIMS,
  verifyCheckLog,
} from './check-log/verify.js'
export {
  type Checkpoint,
  chainOrigin,
  formatCheckpoint,
  isOriginOf,
  type ParsedCheckpoint,
  parseCheckpoint,
  signCheckpoint,
} from './checkpoint/checkpoint.js'
export { type ChainHead, chainHeadHash, directoryCheckpoint, directoryLeaves } from './checkpoint/directory.js'
export {
  AUDIT_KEY_NAME,
  createSigningKey,
  createVerifierKey,
  formatSigningKey,
  formatVerifierKey,
  type KeyType,
  parseSigningKey,
  parseVerifierKey,
  type SigningKey,
  type VerifierKey,
} from './checkpoint/key.js'
export {
  checkNote,
  type NoteCheck,
  type NoteSignature,
  parseNote,
  parseSignatureLine,
  type SignedNote,
  signatureLine,
  signNote,
} from './checkpoint/note.js'
export { checkTlogProof, formatTlogProof, parseTlogProof, type TlogProof } from './checkpoint/tlog-proof.js'
export { nobleCrypto } from './crypto/noble.js'
export type { CryptoPort } from './crypto/port.js'
export { chainKey, NO_ORG_CHAIN } from './event/chain-key.js'
export {
  ERASE_ACTION,
  type ErasablePart,
  type ErasureDetails,
  eraseRecord,
  erasureDetails,
  parseErasure,
  type SeqRange,
} from './event/erase.js'
export { FOREIGN_IDENTITIES, isForeign, withholdForeign } from './event/foreign.js'
export { coreText, detailsHash, eventHash, genesis, identityHash, identityText, SALT_BYTES } from './event/hashes.js'
export { type AuditRecord, type Coverage, type EventCore, type Identity, RECORD_FIELDS } from './event/record.js'
export { type AuditEvent, type Sealed, type SealInput, sealEvent } from './event/seal.js'
export {
  type HashedLedgerRow,
  LEDGER_SEAL_ACTION,
  type LedgerFactsOfRow,
  type LedgerReason,
  type LedgerReport,
  type LedgerSeal,
  ledgerHash,
  ledgerSealHash,
  ledgerSealOf,
  type SealedLedgerFinding,
  verifyLedger,
} from './ledger/ledger.js'
export {
  type Anchor,
  anchorText,
  checkAnchor,
  type PruneInput,
  planPrune,
  type SignedAnchor,
  signAnchor,
} from './prune/anchor.js'
export {
  openRuleBundle,
  type RuleBundle,
  type RuleBundleContent,
  type RuleBundleProblem,
  signRuleBundle,
} from './rule-bundle/rule-bundle.js'
export { REDACTED, scrubText } from './scrub/account-token.js'
export {
  type Removal,
  type RemovalKind,
  SCRUB_LIMITS,
  type Scrubbed,
  ScrubbedDetails,
  scrub,
} from './scrub/scrub.js'
export { EMPTY_FRONTIER, type Frontier, frontierRoot, TreeBuilder } from './tree/frontier.js'
export { EMPTY_ROOT, leafHash, nodeHash } from './tree/node-hash.js'
export { consistencyRanges, inclusionRanges, type LeafRange } from './tree/ranges.js'
export { StoredTree } from './tree/stored-tree.js'
export { StreamProver } from './tree/stream-prover.js'
export { type ConsistencyClaim, type InclusionClaim, verifyConsistency, verifyInclusion } from './tree/verify-proof.js'
export { LogVerifier, type VerifyOptions, verifyLog, verifyLogAsync } from './verify/log-verifier.js'
export type {
  CannotTellReason,
  CheckpointReport,
  CheckpointSource,
  Doubt,
  DoubtCode,
  Evidence,
  InvalidReason,
  Verdict,
  VerifyReport,
} from './verify/report.js'
export { cosign, type WitnessAnswer, type WitnessedTree, type WitnessInput } from './witness/cosign.js'
export { formatWitnessRequest, parseWitnessRequest, type WitnessRequest } from './witness/request.js'
