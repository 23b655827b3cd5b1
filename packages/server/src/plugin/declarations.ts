/** What this domain declares about plugins and their builds: permissions, settings, rate limits. */
import { adminsAndMembers, adminsOnly, declare } from '../runtime/declare.js'
import { given, MS_MAX, optional } from '../runtime/setting/setting.js'
import { choice, flag, list, matching, signingRing, text, whole } from '../runtime/setting/types.js'

const HOST_AND_PORT = /^[a-z0-9.-]{1,253}:\d{1,5}$/

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
    PLUGIN_UPLOAD_RATE_WINDOWMS: given(
      'limits',
      whole(1000, MS_MAX),
      3_600_000,
      'Window of PLUGIN_UPLOAD_RATE_MAX, in ms',
    ),
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
      'Most bytes that an archive can unpack to; four times PLUGIN_MAX_UPLOAD_MB when not set',
    ),
    PLUGIN_BUILDER: given(
      'plugin',
      choice('auto', 'local', 'remote', 'none'),
      'auto',
      'Builder of plugin images. `local`: a builder that the server starts; `remote`: processes of `plumbline builder`; `auto`: a local one too, if the machine can build. With `none`, uploads that need an image are refused',
    ),
    PLUGIN_IMAGE_MAX_MB: given('plugin', whole(1, 65_536), 1024, 'Largest image of a plugin, in MiB'),
    PLUGIN_BASE_REGISTRIES: given(
      'plugin',
      list(matching(/^[a-z0-9.-]{1,253}(?::\d{1,5})?$/, 'a host, such as docker.io, with its port where it has one')),
      [],
      'Registries that base images of local builds may come from; by default only `FROM scratch` is allowed',
    ),
    PLUGIN_BUILD_DISK_MB: given('plugin', whole(16, 1_048_576), 2048, 'MiB that a local build can write, in memory'),
    PLUGIN_BUILD_MEMORY_MB: given(
      'plugin',
      whole(64, 1_048_576),
      4096,
      'MiB of memory of a local build, including what it writes, if it has a cgroup; otherwise of the address space of each process',
    ),
    PLUGIN_BUILD_CPUS: given('plugin', whole(1, 1024), 1, 'Processors of a local build, if it has a cgroup'),
    PLUGIN_BUILD_PIDS: given(
      'plugin',
      whole(16, 1_048_576),
      256,
      'Processes of a local build, with their threads, if it has a cgroup; otherwise of the user who builds',
    ),
    PLUGIN_BUILD_CONCURRENCY: given('plugin', whole(1, 64), 1, 'Local builds that run at a time'),
    PLUGIN_BUILD_EGRESS: given(
      'plugin',
      list(matching(HOST_AND_PORT, 'a host and a port, such as deb.debian.org:80')),
      [],
      'Hosts that local builds can reach; none by default. The addresses of a name must be public; list a private host by its address',
    ),
    PLUGIN_BUILD_SCRATCH: optional(
      'plugin',
      text(500),
      'Folder for archives and images during local builds; the temporary folder of the system when not set',
    ),
    PLUGIN_BUILD_WITHOUT_CGROUPS: given(
      'plugin',
      flag,
      false,
      'In production without cgroups: accept that only its disk and the address space of each process limit the memory of a local build',
    ),
    PLUGIN_SCAN_COMMAND: optional(
      'plugin',
      text(1000),
      'Program that scans a built image, with its arguments separated by spaces. The last argument is the folder of an OCI layout; the program prints SARIF 2.1 or `{"scanner", "findings"}`. It runs in bubblewrap, read-only, without the data of the server',
    ),
    PLUGIN_SBOM_COMMAND: optional(
      'plugin',
      text(1000),
      'Program that writes the bill of materials instead of the server, as CycloneDX 1.4 to 1.6 in JSON; run like PLUGIN_SCAN_COMMAND',
    ),
    PLUGIN_SCAN_TIMEOUT_SECONDS: given('plugin', whole(1, 1200), 300, 'Seconds that each of the two programs may take'),
    PROVENANCE_KEYS: optional(
      'plugin',
      signingRing,
      'Ed25519 seeds that sign the provenance of images. The first signs; the public keys of all are published, so that older statements still verify. Without one nothing is signed. Created in DATA_DIR in development when REGISTRY_URL is set',
      { secret: true },
    ),
    PLUGIN_BUILD_MAX_ATTEMPTS: given('plugin', whole(1, 20), 2, 'Attempts of a build in a round'),
    PLUGIN_DLQ_MAX_ATTEMPTS: given(
      'plugin',
      whole(0, 20),
      3,
      'Automatic rounds of attempts after the first round failed',
    ),
    PLUGIN_BUILD_TIMEOUT_SECONDS: given('plugin', whole(10, 86_400), 900, 'Seconds after which a build is stopped'),
    PLUGIN_MAX_BUILDS_PER_ORG: given('plugin', whole(1, 1000), 3, 'Builds of an organization that run at a time'),
  },
  buckets: {
    'plugin-upload': { per: 'org', max: 'PLUGIN_UPLOAD_RATE_MAX', windowMs: 'PLUGIN_UPLOAD_RATE_WINDOWMS' },
  },
})
