/** The version of this package, put into the bundle at build time. */
import manifest from '../../package.json' with { type: 'json' }

export const version: string = manifest.version
