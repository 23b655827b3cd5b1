/**
 * A value that is here already or will be. What is remembered is given out as it is: a promise for each look-up of a
 * request, and the turn of the queue that it takes, costs more than the look-up.
 */
export type Maybe<T> = T | Promise<T>

/** Goes on with the value, at once when it is here. */
export const whenHere = <T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> =>
  value instanceof Promise ? value.then(next) : next(value)
