/** What this domain declares about the registry of images: settings and rate limits. */
import { declare } from '../runtime/declare.js'
import { given, optional } from '../runtime/setting/setting.js'
import { address, keyRing, list, matching, text, whole } from '../runtime/setting/types.js'

export const registryDeclarations = declare({
  name: 'registry',
  sections: { registry: 'Registry of images' },
  permissions: {},
  settings: {
    REGISTRY_URL: optional(
      'registry',
      address('http', 'https'),
      'The registry that holds images, such as http://127.0.0.1:5000; `plumbline registry init` writes its configuration',
    ),
    REGISTRY_TOKEN_KEYS: optional(
      'registry',
      keyRing,
      'Keys that sign tokens for the registry, each with its certificate, as `plumbline registry init` creates them. Created in DATA_DIR in development when REGISTRY_URL is set',
      { secret: true },
    ),
    REGISTRY_TOKEN_TTL_SECONDS: given(
      'registry',
      whole(60, 300),
      120,
      'Seconds for which a token for the registry is valid; the registry allows 60 more',
    ),
    REGISTRY_EVENTS_SECRET: optional(
      'registry',
      list(matching(/^[\x21-\x7e]{16,200}$/, 'of 16 to 200 characters, without spaces')),
      'Secrets with which the registry sends its events, two while one is replaced; without one the server only reads the registry every hour',
      { secret: true },
    ),
    REGISTRY_GC_COMMAND: optional(
      'registry',
      text(1000),
      'Command that `plumbline registry collect` runs in the shell while the registry is read-only; `docker-registry garbage-collect` on its folder when not set',
    ),
    REGISTRY_TOKEN_RATE_MAX: given(
      'limits',
      whole(0),
      600,
      'Tokens for the registry that a caller gets in a minute; 0 is off',
    ),
  },
  buckets: {
    'registry-token': { per: 'credential', max: 'REGISTRY_TOKEN_RATE_MAX', windowMs: 60_000 },
    'registry-refused': { per: 'ip', max: 20, windowMs: 60_000 },
  },
})
