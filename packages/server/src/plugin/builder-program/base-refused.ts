/** A base image that cannot be used. A retry would not help. */
export class BaseRefused extends Error {}
