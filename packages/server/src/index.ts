/** The server as a library: start it inside a program, compose it for a test, read its settings, back it up. */
export { type FakeAi, MISBEHAVIOURS, type Misbehaviour, startFakeAi } from './ai/fake/server.js'
export { type App, type AppOptions, createApp } from './app.js'
export {
  type AuditEmitter,
  type AuditEmitterOptions,
  BadEmitterSettings,
  createAuditEmitter,
} from './audit/client/index.js'
export { type BackupManifest, type BackupOptions, createBackup } from './backup/backup.js'
export type { SealProofs } from './backup/manifest-seal.js'
export { type BackupCheck, type RestoreOptions, restoreBackup, verifyBackup } from './backup/restore.js'
export { checkCardProvider, type ProviderFinding } from './billing/card/inspect.js'
export { type SetUp, setUpCardProvider } from './billing/card/set-up.js'
export { type RunningFake, startFakeCard, startFakeMarketplace } from './billing/fake/start.js'
export { checkMarketplace, describeListing } from './billing/marketplace/inspect.js'
export { type Config, type ConfigOptions, loadConfig } from './config.js'
export { type HostContent, loadHostContent } from './content.js'
export { runningServer } from './data-folder.js'
export { withHost } from './host.js'
export {
  createHostServicePrincipal,
  createHostUser,
  disableHostMfa,
  disableHostSso,
  grantHostSuperAdmin,
  type Host,
  hostResetLink,
  revokeHostSessions,
  rotateHostKeys,
  setHostTier,
  verifyHostEmail,
} from './identity/index.js'
export {
  ARCHIVE_LIMITS,
  type ArchiveReader,
  archiveReader,
  type BuildCategory,
  type BuildClaim,
  type BuildFailure,
  type BuildQueue,
  type BuiltImage,
  CATEGORIES as BUILD_CATEGORIES,
  createBuildQueue,
  type Held as HeldBuild,
} from './plugin/build/index.js'
export { localBuilderLacks } from './plugin/builder-local/service.js'
export {
  type BuilderOptions,
  builderLacks,
  diskLack,
  groupsLack,
  runBuilder,
  tellFault,
} from './plugin/builder-program/index.js'
export { type Collected, type CollectionSteps, collectionCommand, collectRegistry } from './registry/index.js'
export { type RegistryFiles, type RegistryOptions, registryFiles } from './registry-files.js'
export { CannotStart } from './runtime/cannot-start.js'
export { Refusal } from './runtime/errors.js'
export type { Operation } from './runtime/operation/operation.js'
export { BadSettings } from './runtime/settings/bad-settings.js'
export type { LoadedSettings, Settings } from './runtime/settings/load.js'
export { configNotes, configPrint, type PrintedSetting } from './runtime/settings/print.js'
export { ForeignSchema } from './runtime/store/foreign-schema.js'
export { type RunningServer, startServer } from './server.js'
export { type FakeSso, type FakeSsoOptions, startFakeSso } from './sso/fake/start.js'
export { untilStopped } from './until-stopped.js'
