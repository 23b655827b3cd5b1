/**
 * The manifest of a domain: all that a process, the schema and the tools know of it. `domains.ts` lists the manifests, and
 * nothing else of the server names a domain. How to add one: `docs/contributing/adding-a-domain.md`.
 */
import type { Declarations } from './declare.js'
import type { HealthCheck } from './health/health.js'
import type { Page } from './http/pages.js'
import type { Site } from './http/site.js'
import type { EntitySource } from './inventory.js'
import type { AnyJob, Schedule } from './jobs/define.js'
import type { AnyTemplate } from './mail/template.js'
import type { Runtime } from './operation/context.js'
import type { Operation } from './operation/operation.js'
import type { DomainRegistration } from './operation/registration.js'
import type { Port } from './port.js'
import type { Settings } from './settings/load.js'
import type { TableSet } from './store/table-set.js'

/** The same in every process, or made from its settings. */
type Listed<T> = readonly T[] | ((settings: Settings) => readonly T[])

// biome-ignore lint/suspicious/noExplicitAny: sets of tables of every shape
export type AnyTableSet = TableSet<any>

export interface Provider<T = unknown> {
  readonly port: Port<T>
  /** Undefined where this process needs none. @throws BadSettings where the settings leave no way. */
  readonly make: (runtime: Runtime) => T | undefined
}

export const provide = <T>(port: Port<T>, make: Provider<T>['make']): Provider => ({ port, make })

export interface Domain<Name extends string = string>
  extends Pick<Declarations<Name>, 'name' | 'permissions' | 'settings' | 'buckets'> {
  readonly operations: Listed<Operation>
  readonly jobs: Listed<AnyJob>
  readonly schedules: Listed<Schedule>
  readonly mails: readonly AnyTemplate[]
  /** In the order in which they are created. */
  readonly tables: readonly AnyTableSet[]
  /** What spans the domains: export, purge, erasure, usage. */
  readonly registration: DomainRegistration
  /** Done by this domain for others, whether or not the process mounts it: its tables are there. */
  readonly provides: readonly Provider[]
  /** Ports without which the process does not start, where it mounts the domain. */
  readonly requires: readonly Port<unknown>[]
  /** Puts into the store what ships with the server, before the process listens; nothing where it is there. */
  readonly firstContent: ((runtime: Runtime) => Promise<unknown>) | null
  /** Pages for people, such as those that e-mails lead to. */
  readonly pages: readonly Page[]
  /** Static files of the domain. */
  readonly site: Site | null
  /** The records that rules see, for re-checks and scans. */
  readonly entities: readonly EntitySource[]
  readonly checks: (runtime: Runtime) => readonly HealthCheck[]
  /** Work beside requests and jobs. */
  readonly services: (runtime: Runtime) => readonly Service[]
  /** Ends what still writes, before the store is closed. */
  readonly close: (runtime: Runtime) => Promise<void>
}

/** Work beside requests and jobs. */
export interface Service {
  start(): void
  /** Ends what asks this server itself, while the server still answers. */
  leave?(): Promise<void>
  /** Finishes what it has; not longer than `msMax`. The store is open. */
  drain(msMax: number): Promise<void>
  /** Ends what it does at once, also while it is drained. */
  cut(): void
}

type Given<Name extends string> = Partial<Domain<Name>> &
  Pick<Domain<Name>, 'name' | 'permissions' | 'settings' | 'buckets' | 'operations' | 'registration'>

/** What a domain does not say is nothing. */
export const defineDomain = <const Name extends string>(given: Given<Name>): Domain<Name> => ({
  jobs: [],
  schedules: [],
  mails: [],
  tables: [],
  provides: [],
  requires: [],
  firstContent: null,
  pages: [],
  site: null,
  entities: [],
  checks: () => [],
  services: () => [],
  close: async () => undefined,
  ...given,
})

export const listed = <T>(list: Listed<T>, settings: Settings): readonly T[] =>
  typeof list === 'function' ? list(settings) : list
