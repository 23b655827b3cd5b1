import { ApiError } from '@plumbline/client'

/**
 * The other tags of an image, when they are all that keeps it from being deleted. An image of a plugin or of an index is
 * never deleted.
 */
export function otherTagsOf(error: Error | null): readonly string[] {
  if (!(error instanceof ApiError) || error.status !== 409) return []
  const { tags, indexes, plugins } = error.details
  const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0
  return Array.isArray(tags) && isEmpty(indexes) && isEmpty(plugins) ? (tags as string[]) : []
}
