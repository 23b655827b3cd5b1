/** JSON pointers (RFC 6901). */
export const pointerTo = (parent: string, key: string): string =>
  `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
