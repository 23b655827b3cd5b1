/**
 * A value that is available now or later. A cached value is returned directly: a promise for each look-up of a request,
 * and the turn of the queue it takes, costs more than the look-up.
 */
export type Maybe<T> = T | Promise<T>

/** Continues with the value, synchronously when it is available. */
export const whenHere = <T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> =>
  value instanceof Promise ? value.then(next) : next(value)
