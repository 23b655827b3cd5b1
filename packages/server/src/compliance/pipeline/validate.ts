/** Checks a pipeline and records the verdict. */
import { liveCheck, PIPELINE } from '../validation/validate.js'

export const validatePipeline = liveCheck({ ...PIPELINE, name: 'compliance.pipeline.validate' })
