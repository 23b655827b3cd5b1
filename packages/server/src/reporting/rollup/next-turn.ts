/** Yields to the event loop between parts of long work. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
