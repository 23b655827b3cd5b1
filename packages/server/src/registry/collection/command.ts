/** The command that frees the bytes: the registry's own program. */
import { Refusal } from '../../runtime/errors.js'
import type { Settings } from '../../runtime/settings/load.js'

/**
 * @param configuration the path of `registry.yml`. @throws Refusal for a command that would delete manifests that
 *   indexes refer to.
 */
export function collectionCommand({ REGISTRY_GC_COMMAND }: Settings, configuration: string): string {
  const command = REGISTRY_GC_COMMAND ?? `docker-registry garbage-collect '${configuration}'`
  // guard: what-only-indexes-name-is-not-freed
  if (/--delete-untagged|\s-m\b/.test(command)) {
    throw new Refusal(
      'VALIDATION_ERROR',
      'REGISTRY_GC_COMMAND deletes images that only indexes refer to: leave --delete-untagged out',
    )
  }
  return command
}
