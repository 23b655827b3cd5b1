/**
 * The manifest of a domain: everything that a process, the schema and the tools know of it. `domains.ts` lists the
 * manifests, and no other part of the server names a domain. How to add one: `docs/contributing/adding-a-domain.md`.
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
  /**
   * Undefined when this process does not need it.
   *
   * @throws BadSettings when the settings are not sufficient.
   */
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
  /** What this domain provides to others, whether or not the process mounts it: its tables exist in any case. */
  readonly provides: readonly Provider[]
  /** Ports that the domain needs. Without them a process that mounts the domain does not start. */
  readonly requires: readonly Port<unknown>[]
  /**
   * Writes the content that is shipped with the server to the store, before the process listens. It does nothing when
   * the content exists.
   */
  readonly firstContent: ((runtime: Runtime) => Promise<unknown>) | null
  /** Pages for people, such as those that e-mails lead to. */
  readonly pages: readonly Page[]
  /** Static files of the domain. */
  readonly site: Site | null
  /** The records that rules see, for re-checks and scans. */
  readonly entities: readonly EntitySource[]
  readonly checks: (runtime: Runtime) => readonly HealthCheck[]
  /** Work in addition to requests and jobs. */
  readonly services: (runtime: Runtime) => readonly Service[]
  /** Ends what still writes, before the store is closed. */
  readonly close: (runtime: Runtime) => Promise<void>
}

/** Work in addition to requests and jobs. */
export interface Service {
  start(): void
  /** Ends what sends requests to this server, while the server still answers. */
  leave?(): Promise<void>
  /** Finishes current work within `msMax`. The store is still open. */
  drain(msMax: number): Promise<void>
  /** Ends current work at once, also during a drain. */
  cut(): void
}

type Given<Name extends string> = Partial<Domain<Name>> &
  Pick<Domain<Name>, 'name' | 'permissions' | 'settings' | 'buckets' | 'operations' | 'registration'>

/** Defines a domain. What it leaves out is empty. */
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
