/** Checks a plugin and writes nothing. */
import { dryRun, PLUGIN } from '../validation/validate.js'

export const validatePluginDryRun = dryRun({ ...PLUGIN, name: 'compliance.plugin.validate-dry-run' })
