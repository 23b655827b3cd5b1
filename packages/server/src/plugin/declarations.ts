/** What this domain declares about plugins and their builds: permissions, settings, rate limits. */
import { adminsAndMembers, adminsOnly, declare } from '../runtime/declare.js'
import { given, MS_MAX, optional } from '../runtime/setting/setting.js'
import { choice, whole } from '../runtime/setting/types.js'

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
      choice('auto', 'remote', 'none'),
      'auto',
      'What builds the images of plugins; with `none` uploads that need an image are refused',
    ),
    PLUGIN_IMAGE_MAX_MB: given('plugin', whole(1, 65_536), 1024, 'Largest image of a plugin, in MiB'),
    PLUGIN_BUILD_MAX_ATTEMPTS: given('plugin', whole(1, 20), 2, 'Attempts of a build in a round'),
    PLUGIN_DLQ_MAX_ATTEMPTS: given('plugin', whole(0, 20), 3, 'Rounds that begin by themselves after the first'),
    PLUGIN_BUILD_TIMEOUT_SECONDS: given('plugin', whole(10, 86_400), 900, 'Seconds after which a build is given up'),
    PLUGIN_MAX_BUILDS_PER_ORG: given('plugin', whole(1, 1000), 3, 'Builds of an organization that run at a time'),
  },
  buckets: {
    'plugin-upload': { per: 'org', max: 'PLUGIN_UPLOAD_RATE_MAX', windowMs: 'PLUGIN_UPLOAD_RATE_WINDOWMS' },
  },
})
