/** Operations whose answer is a stored file: its bytes, under its name and type, whole or in part. */
import type { FileOperation, Input } from './operation.js'

export const file = <I extends Input>(definition: Omit<FileOperation<I>, 'kind' | 'output'>): FileOperation<I> => ({
  kind: 'file',
  output: null,
  ...definition,
})
