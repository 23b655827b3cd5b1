/** Attestations of an image: documents in the blob store, referenced by the row of the plugin. */

export interface KeptDocument {
  /** Key in the blob store. */
  readonly key: string
  readonly bytes: number
  readonly sha256: string
}

export interface Attestations {
  readonly sbom?: KeptDocument
  /** Absent when the server had no signing key. */
  readonly provenance?: KeptDocument
}
