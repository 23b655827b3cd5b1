/** The media types of manifests of one image, and of indexes of several. */
export const MANIFEST_MEDIA = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
] as const
export const INDEX_MEDIA = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
] as const
