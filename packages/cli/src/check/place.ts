/**
 * Where a violation is shown in its file, and the value that is shown there.
 * INVARIANT: for a rule with alternatives this is the last entry whose field the file has. Authors write the
 * precondition first, and what follows from it last.
 */
import type { JsonValue, Violation } from '@plumbline/engine'
import { hasPath, type SourceEntity, sourcePath } from '../input/entities.js'
import type { Path } from '../input/located.js'

export interface Place {
  readonly path: Path
  /** As the engine published it. */
  readonly actual: JsonValue
}

export function placeOf(
  entity: SourceEntity,
  { field, actualValue, failures = [] }: Pick<Violation, 'field' | 'actualValue' | 'failures'>,
): Place {
  const places = failures.map((failure) => ({ path: sourcePath(entity, failure.field), actual: failure.actual }))
  const last = places.findLast(({ path }) => hasPath(entity.located.value, path))
  return last ?? { path: sourcePath(entity, field), actual: actualValue }
}
