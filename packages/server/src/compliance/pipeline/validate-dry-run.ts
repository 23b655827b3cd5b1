/** Checks a pipeline and writes nothing. */
import { dryRun, PIPELINE } from '../validation/validate.js'

export const validatePipelineDryRun = dryRun({ ...PIPELINE, name: 'compliance.pipeline.validate-dry-run' })
