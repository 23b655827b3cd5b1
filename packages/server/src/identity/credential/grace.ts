export const GRACE_MS = 20_000
