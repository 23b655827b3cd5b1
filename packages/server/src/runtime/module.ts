/** What a domain gives to the process that mounts it: its operations, its background work, its registration. */
import type { DomainRegistration } from './domain.js'
import type { HealthCheck } from './health/health.js'
import type { Page } from './http/pages.js'
import type { AnyJob, Schedule } from './jobs/define.js'
import type { AnyTemplate } from './mail/template.js'
import type { Operation } from './operation/operation.js'
import type { EntitySource } from './records/entity.js'
import type { ModuleName } from './settings/catalogue.js'

export interface Module {
  readonly name: ModuleName
  readonly operations: readonly Operation[]
  readonly jobs: readonly AnyJob[]
  readonly schedules: readonly Schedule[]
  readonly templates: readonly AnyTemplate[]
  readonly registration: DomainRegistration | null
  readonly checks?: readonly HealthCheck[]
  readonly service?: Service
  /** The records that rules see, for re-checks and scans. */
  readonly entities?: readonly EntitySource[]
  /** Pages for people, such as those that e-mails lead to. */
  readonly pages?: readonly Page[]
}

/** Work beside requests and jobs. */
export interface Service {
  start(): void
  /** Finishes what it has; not longer than `msMax`. The store is open. */
  drain(msMax: number): Promise<void>
  /** Ends what it does at once, also while it is drained. */
  cut(): void
}
