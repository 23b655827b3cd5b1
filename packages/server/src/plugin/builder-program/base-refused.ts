/** A base image that is not to be had. Building it again would not help. */
export class BaseRefused extends Error {}
