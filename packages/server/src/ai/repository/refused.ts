/** Refusals for a repository that exists but cannot be used for a draft. */
import type { Refusal } from '../../runtime/errors.js'
import { FILES_MAX } from './forge.js'
import { repositoryRefusal } from './requests.js'

const refused = (path: string, message: string, code: string): Refusal =>
  repositoryRefusal('VALIDATION_ERROR', { path, message, code })

export const emptyRepository = (): Refusal =>
  refused(
    '/body/gitUrl',
    'is an empty repository: push a commit, or describe the pipeline in a prompt',
    'repository_empty',
  )

export const missingRef = (ref: string): Refusal =>
  refused(
    '/body/ref',
    `the repository has no branch, tag or commit \`${ref}\`: leave it out for the default branch`,
    'ref_missing',
  )

export const tooManyFiles = (count: number): Refusal =>
  refused(
    '/body/gitUrl',
    `has ${count} files, more than the limit of ${FILES_MAX}: describe the pipeline in a prompt (POST /pipelines/generate), or send the address of a smaller repository`,
    'repository_too_large',
  )
