/**
 * Codes of the specialised checks: an operator together with the kind of its rule value.
 *
 * `eq null` is `notExists` and `neq null` is `exists`, so these two have no code of their own. This is an enum because
 * bundlers inline its numbers into the `switch` statements of the kernels, which then compile to jump tables.
 */
export enum Op {
  equalText = 0,
  notEqualText = 1,
  equalDeep = 2,
  notEqualDeep = 3,
  greater = 4,
  greaterOrEqual = 5,
  less = 6,
  lessOrEqual = 7,
  contains = 8,
  notContains = 9,
  in = 10,
  notIn = 11,
  matches = 12,
  exists = 13,
  notExists = 14,
  notEmpty = 15,
  countGreater = 16,
  countLess = 17,
  lengthGreater = 18,
  lengthLess = 19,
}
