/** Every domain of the server. A new one adds its line here and in `declarations.ts` (docs/contributing/adding-a-domain.md). */
import { ai } from './ai/index.js'
import { audit } from './audit/index.js'
import { billing } from './billing/index.js'
import { compliance } from './compliance/index.js'
import { webConsole } from './console/index.js'
import { identity } from './identity/index.js'
import { message } from './message/index.js'
import { notification } from './notification/index.js'
import { pipeline } from './pipeline/index.js'
import { plugin } from './plugin/index.js'
import { quota } from './quota/index.js'
import { registry } from './registry/index.js'
import { reporting } from './reporting/index.js'
import type { ModuleName } from './runtime/declared.js'
import type { Domain } from './runtime/manifest.js'
import { sso } from './sso/index.js'

/** A domain that is declared and has no manifest does not compile; nor does the reverse. */
const MANIFESTS: { readonly [Name in ModuleName]: Domain<Name> } = {
  identity,
  audit,
  quota,
  compliance,
  notification,
  message,
  pipeline,
  plugin,
  registry,
  billing,
  reporting,
  ai,
  console: webConsole,
  sso,
}

/** In the order in which tables are created and content is loaded. */
export const DOMAINS: readonly Domain<ModuleName>[] = Object.values(MANIFESTS)
