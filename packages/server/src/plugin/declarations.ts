/** What this domain declares about plugins and their builds: permissions, settings, rate limits. */
import { adminsAndMembers, adminsOnly, declare } from '../runtime/declare.js'
import { given, MS_MAX, optional } from '../runtime/setting/setting.js'
import { choice, flag, list, matching, signingRing, text, whole } from '../runtime/setting/types.js'

export const pluginDeclarations = declare({
  name: 'plugin',
  sections: { plugin: 'Plugins' },
  permissions: {
    'plugins:read': adminsAndMembers('list, find and read plugins, their use and the build queue'),
    'plugins:write': adminsAndMembers('upload, update, delete, generate and replay plugins'),
    'plugins:publish': adminsOnly('make a plugin public, change a public one'),
  },
  settings: {
    PLUGIN_UPLOAD_RATE_MAX: given('limits', whole(0), 30, 'Plugins that an organization uploads in a window; 0 is off'),
    PLUGIN_UPLOAD_RATE_WINDOWMS: given('limits', whole(1000, MS_MAX), 3_600_000, 'Length of the window'),
    PLUGIN_MAX_UPLOAD_MB: given('plugin', whole(1, 512), 512, 'Largest archive of a plugin, in MiB'),
    PLUGIN_UPLOAD_TIMEOUT_SECONDS: given(
      'plugin',
      whole(1, 3600),
      300,
      'Seconds in which the body of an upload has to arrive',
    ),
    PLUGIN_MAX_EXTRACT_BYTES: optional(
      'plugin',
      whole(1024, 2 ** 43),
      'Most bytes that an archive may unpack to; four times PLUGIN_MAX_UPLOAD_MB when not set',
    ),
    PLUGIN_BUILDER: given(
      'plugin',
      choice('auto', 'local', 'remote', 'none'),
      'auto',
      'What builds the images of plugins. `local`: a builder that the server starts; `remote`: those that run `plumbline builder`; `auto`: a local one too, where the machine can build. With `none` uploads that need an image are refused',
    ),
    PLUGIN_IMAGE_MAX_MB: given('plugin', whole(1, 65_536), 1024, 'Largest image of a plugin, in MiB'),
    PLUGIN_BASE_REGISTRIES: given(
      'plugin',
      list(matching(/^[a-z0-9.-]{1,253}(?::\d{1,5})?$/, 'a host, such as docker.io, with its port where it has one')),
      [],
      'Registries that base images of local builds may come from; without one `FROM scratch` alone is allowed',
    ),
    PLUGIN_BUILD_DISK_MB: given('plugin', whole(16, 1_048_576), 2048, 'MiB that a local build may write, in memory'),
    PLUGIN_BUILD_MEMORY_MB: given(
      'plugin',
      whole(64, 1_048_576),
      4096,
      'MiB of address space of a process of a local build',
    ),
    PLUGIN_BUILD_PIDS: given('plugin', whole(16, 1_048_576), 512, 'Processes of the user who builds locally'),
    PLUGIN_BUILD_SCRATCH: optional(
      'plugin',
      text(500),
      'Where archives and images of local builds lie meanwhile; the folder of the system when not set',
    ),
    PLUGIN_BUILD_WITHOUT_CGROUPS: given(
      'plugin',
      flag,
      false,
      'In production: accept that the memory of a local build is bounded by its disk and the address space of each process alone',
    ),
    PLUGIN_SCAN_COMMAND: optional(
      'plugin',
      text(1000),
      'Program that scans a built image, with its arguments between spaces: it gets the folder of an OCI layout behind them and prints SARIF 2.1 or `{"scanner", "findings"}`. It runs by bubblewrap, read-only, without the data of the server',
    ),
    PLUGIN_SBOM_COMMAND: optional(
      'plugin',
      text(1000),
      'Program that writes the bill of materials in place of the server, as CycloneDX 1.4 to 1.6 in JSON; run as PLUGIN_SCAN_COMMAND is',
    ),
    PLUGIN_SCAN_TIMEOUT_SECONDS: given('plugin', whole(1, 1200), 300, 'Seconds that each of the two programs may take'),
    PROVENANCE_KEYS: optional(
      'plugin',
      signingRing,
      'Ed25519 seeds that sign the provenance of images; the first signs, the public keys of all are published, so that older statements stay good. Without one nothing is signed. Made in DATA_DIR in development where REGISTRY_URL is set',
      { secret: true },
    ),
    PLUGIN_BUILD_MAX_ATTEMPTS: given('plugin', whole(1, 20), 2, 'Attempts of a build in a round'),
    PLUGIN_DLQ_MAX_ATTEMPTS: given('plugin', whole(0, 20), 3, 'Rounds that begin by themselves after the first'),
    PLUGIN_BUILD_TIMEOUT_SECONDS: given('plugin', whole(10, 86_400), 900, 'Seconds after which a build is given up'),
    PLUGIN_MAX_BUILDS_PER_ORG: given('plugin', whole(1, 1000), 3, 'Builds of an organization that run at a time'),
  },
  buckets: {
    'plugin-upload': { per: 'org', max: 'PLUGIN_UPLOAD_RATE_MAX', windowMs: 'PLUGIN_UPLOAD_RATE_WINDOWMS' },
  },
})
