/** Secrets at rest, as every floor seals them. */
export { createSecretBox, deriveKey, openWith, type SecretBox, sealWith } from '../../runtime/secret-box.js'
