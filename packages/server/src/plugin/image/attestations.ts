/** What is kept of an image besides the image: documents in the blob store, named by the row of the plugin. */

export interface KeptDocument {
  /** In the blob store. */
  readonly key: string
  readonly bytes: number
  readonly sha256: string
}

export interface Attestations {
  readonly sbom?: KeptDocument
  /** Absent where the server had no key to sign with. */
  readonly provenance?: KeptDocument
}
