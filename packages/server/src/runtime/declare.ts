/**
 * What a domain declares as data, before any of its code is loaded: its permissions, settings and rate limits. The
 * declarations of all domains (`declarations.ts`) give the types `Permission`, `Settings` and `BucketName`, the parser
 * of the settings, the built-in Roles and the limiter. A declaration imports only this file and the kinds of settings
 * (ADR 101).
 */
import type { Setting } from './setting/setting.js'

export interface PermissionEntry {
  /** A Role that an organization makes may contain the permission. */
  readonly assignable: boolean
  /** The built-in Role Admin has the permission. */
  readonly admin: boolean
  /** The built-in Role Member has the permission. */
  readonly member: boolean
  /** What it guards, for the documentation. */
  readonly guards: string
}

export const adminsAndMembers = (guards: string): PermissionEntry => ({
  assignable: true,
  admin: true,
  member: true,
  guards,
})
export const adminsOnly = (guards: string): PermissionEntry => ({
  assignable: true,
  admin: true,
  member: false,
  guards,
})
export const systemOnly = (guards: string): PermissionEntry => ({
  assignable: false,
  admin: false,
  member: false,
  guards,
})

/** What a bucket is counted by. */
export type BucketKey = 'ip' | 'user' | 'org' | 'user+org' | 'credential' | 'session'

/**
 * How many requests are allowed in a window. A limit that an operator can set is the name of its setting, which has the
 * default.
 */
export interface DeclaredBucket<SettingName extends string = string> {
  readonly per: BucketKey
  /** Requests in any window of this length; 0 switches the bucket off. */
  readonly max: number | SettingName
  readonly windowMs: number | SettingName
  /** The limit is multiplied by the factor of the organization's tier. */
  readonly byTier?: boolean
}

export interface Declarations<
  Name extends string = string,
  Permissions extends Readonly<Record<string, PermissionEntry>> = Readonly<Record<string, PermissionEntry>>,
  Settings extends Readonly<Record<string, Setting>> = Readonly<Record<string, Setting>>,
  Buckets extends Readonly<Record<string, DeclaredBucket>> = Readonly<Record<string, DeclaredBucket>>,
> {
  /** The folder's name, which `PLUMBLINE_MODULES` takes. */
  readonly name: Name
  /** Titles of sections in the reference page of the settings, unless an earlier declaration has them. */
  readonly sections: Readonly<Record<string, string>>
  readonly permissions: Permissions
  readonly settings: Settings
  readonly buckets: Buckets
}

/** The declarations with their names as types. */
export const declare = <
  const Name extends string,
  const Permissions extends Readonly<Record<string, PermissionEntry>>,
  Settings extends Readonly<Record<string, Setting>>,
  const Buckets extends Readonly<Record<string, DeclaredBucket<keyof Settings & string>>>,
>(
  declarations: Declarations<Name, Permissions, Settings, Buckets>,
): Declarations<Name, Permissions, Settings, Buckets> => declarations
