/** Checks a plugin and records the verdict. */
import { liveCheck, PLUGIN } from '../validation/validate.js'

export const validatePlugin = liveCheck({ ...PLUGIN, name: 'compliance.plugin.validate' })
