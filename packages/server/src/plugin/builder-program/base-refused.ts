/** The most base images that a build may begin from. */
export const BASES_MAX = 50

/** A base image that cannot be used. A retry would not help. */
export class BaseRefused extends Error {}

/**
 * A base image that cannot be fetched now. The attempt counts: the author of a plugin chose the image, and must not keep
 * a builder busy with it forever.
 */
export class BaseAway extends Error {}

/** The registry of the server is away. The author of a plugin chose nothing of it, so the attempt does not count. */
export class RegistryAway extends Error {}
