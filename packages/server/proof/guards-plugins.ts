/**
 * The lines that keep archives, plugins and builds what they are: whose they are, who changes them, what an archive may hold, and
 * which builder may end a build. `find` occurs exactly once in its file; a test holds the list to the sources.
 */
import { always, cut, drop, type Guard, guard, never, swap, value } from './guard.js'

const RIGHTS = 'rights'
const PLUGINS = 'plugins'
const QUEUE = 'queue'
const MODEL = 'queue-model'
const ARCHIVES = 'archive/read'
const READER = 'isolated'
const MANIFESTS = 'manifest/read'
const IMAGES = 'image'
const REGISTRY = 'image/images'
const UPLOADS = 'upload'
const LAYERS = 'layer/inspect'
const ATTESTED = 'build/attestation'

export const PLUGIN_GUARDS: readonly Guard[] = [
  // Whose they are.
  guard('a-plugin-by-id-is-one-that-is-seen', cut(', isVisible(key, plugins)'), PLUGINS),
  guard(
    'organizations-take-turns-at-the-reader-of-archives',
    swap('waiting.set(orgId, own)', 'return void own.forEach((each) => each())'),
    'turns',
  ),
  guard('of-a-mode-one-bit-is-kept', drop, READER),
  guard('so-many-archives-of-one-organization-wait', value('count >= all'), 'turns'),
  guard('keys-of-a-map-are-counted-before-they-are-compared', drop, MANIFESTS),
  guard('a-plugin-to-be-changed-is-an-own-one', cut('eq(plugins.orgId, orgId), '), PLUGINS),
  guard('the-list-of-plugins', cut('inPart(part, table), '), PLUGINS),
  guard('a-deleted-plugin-is-an-own-one', cut(', eq(plugins.orgId, orgId)'), RIGHTS),
  guard('a-build-by-id', cut(', eq(buildJobs.orgId, tenantId(context as ReadContext))'), QUEUE),
  guard('the-lists-of-builds', swap('context.authority.isSuperAdmin', 'true'), QUEUE),
  guard('an-organization-loses-its-own-dead-letters-alone', cut('eq(buildJobs.orgId, orgId), '), QUEUE),
  // Who changes them.
  guard(
    'who-publishes-plugins',
    swap("!modifiers.includes('public')", "true || !modifiers.includes('public')"),
    RIGHTS,
  ),
  guard('who-changes-whose-plugins', drop, RIGHTS),
  guard('an-upload-changes-a-plugin-as-a-change-does', drop, RIGHTS),
  guard('who-uploads-what-is-public', drop, RIGHTS),
  guard('a-public-version-stays-as-it-is', never, PLUGINS),
  guard('what-an-image-was-built-from', drop, PLUGINS),
  guard('a-plugin-without-its-image', drop, PLUGINS),
  guard('what-was-judged-is-what-is-changed', cut('if (prepared.revision === stored.revision)'), RIGHTS),
  guard('what-was-judged-is-what-is-uploaded', cut('|| existing?.revision !== replaces?.revision'), RIGHTS),
  guard('a-pinned-plugin-stays', drop, PLUGINS),
  // Places and verdicts.
  guard('a-plugin-takes-a-place', drop, RIGHTS),
  guard('an-archive-takes-its-bytes', drop, RIGHTS),
  guard('a-replay-takes-the-place-again', drop, RIGHTS),
  guard('a-version-that-is-there-again', never, PLUGINS),
  // Builders.
  guard('a-build-pulls-what-its-organization-may', never, 'builder/builder'),
  guard('a-base-image-is-hashed-on-each-use', value('existsSync(path)'), 'builder-program'),
  guard('a-base-image-has-its-digest', never, 'builder-program'),
  guard('no-build-as-root', never, 'builder-program'),
  guard('the-scratch-of-a-builder-is-its-own', never, 'builder-program'),
  guard('one-builder-holds-a-build', cut(', eq(buildJobs.fence, fence)'), QUEUE),
  guard('claims-of-several-processes-take-turns', drop, 'build-claims'),
  guard('a-build-that-is-over-stays-so', cut(", eq(buildJobs.state, 'active')"), QUEUE),
  guard('a-build-ends-in-time', cut('startedAtMs ?? nowMs) < nowMs - timeoutMs || (job.'), QUEUE),
  guard('how-many-builds-at-a-time', cut('.filter(({ orgId }) => !full.has(orgId))'), QUEUE),
  guard('whose-turn-it-is', value('0'), QUEUE),
  guard('a-dead-letter-is-replayed-once', drop, QUEUE),
  guard('a-plugin-whose-round-was-purged-has-failed', swap("'failed'", "'queued'"), MODEL),
  guard('no-secret-in-a-build-log', cut('hideSecrets'), 'log-text'),
  guard('a-piece-of-a-log-is-added-once', never, QUEUE),
  guard('a-build-log-is-bounded', never, QUEUE),
  guard('what-is-published-is-not-cancelled', never, QUEUE),
  // The registry's tokens.
  guard('what-is-not-granted-is-left-out', cut('.filter((action) => may.includes(action))'), 'registry/grant'),
  guard(
    'the-server-alone-writes-what-plugins-are',
    cut('&& !(await caller.isPluginName(orgId, first))'),
    'registry/grant',
  ),
  guard('tokens-of-a-caller-are-counted', drop, 'registry/token/get'),
  guard('what-a-builder-completed-is-not-its-any-more', cut(' + 1'), 'builder/builder'),
  guard('a-builder-reaches-the-jobs-that-it-holds', never, 'builder/builder'),
  guard('a-build-begins-with-its-secrets', never, 'builder/builder'),
  guard('secrets-are-handed-out-once', cut(', ne(t.secretsFence, fence)'), 'builder/builder'),
  guard('an-image-has-so-many-layers', never, 'builder/builder'),
  guard('an-image-lies-in-the-registry-alone', never, 'builder/builder'),
  guard('an-image-is-so-large', never, 'builder/builder'),
  guard('the-blobs-of-an-image-are-there', never, 'builder/builder'),
  guard('a-blocked-image-is-not-published', never, 'build/image-rules'),
  guard('what-is-ready-can-be-pulled', never, 'builder/builder'),
  guard('a-manifest-is-what-its-digest-says', never, 'builder/builder'),
  guard('a-blob-of-the-registry-is-what-its-digest-says', never, 'builder/builder'),
  guard('an-answer-of-the-registry-is-bounded', never, 'builder/builder'),
  guard('an-image-takes-its-bytes', never, 'build/image-rules'),
  // Images of the registry.
  guard('only-repositories-of-ours-are-counted', never, REGISTRY),
  guard('an-older-reading-writes-nothing', never, REGISTRY),
  guard('a-tag-of-a-plugin-names-its-image', always, REGISTRY),
  guard('an-event-of-the-registry-counts-once', never, REGISTRY),
  guard('events-come-with-the-secret', never, REGISTRY),
  guard('lists-of-images-are-of-ones-own', value('undefined'), REGISTRY),
  guard('an-image-by-its-name-is-ones-own', always, REGISTRY),
  guard('a-layer-is-not-answered', never, REGISTRY),
  guard('an-image-of-a-plugin-is-not-deleted', never, REGISTRY),
  guard('what-an-index-names-is-not-deleted', never, REGISTRY),
  guard('other-tags-are-named-before-they-go', never, REGISTRY),
  guard('a-repository-with-images-of-plugins-stays', never, REGISTRY),
  guard('a-copy-stays-in-its-organization', never, REGISTRY),
  guard('the-server-alone-writes-what-plugins-are-made-of', never, REGISTRY),
  guard('a-tag-that-is-there-stays', never, REGISTRY),
  guard('an-incomplete-image-is-not-copied', never, REGISTRY),
  guard('what-an-index-names-is-not-collected', swap('named.add(child)', 'void child'), REGISTRY),
  guard('an-image-of-a-plugin-is-not-collected', swap('named.add(digest)', 'void digest'), REGISTRY),
  guard('what-was-promoted-is-not-collected', swap('named.add(digest)', 'void digest'), REGISTRY),
  guard('an-upload-stays-in-the-registry', never, ATTESTED),
  // What is in an image.
  guard('the-environment-of-the-reader-of-layers', drop, LAYERS),
  guard('a-reader-of-layers-that-is-late', drop, LAYERS),
  guard('a-value-across-two-pieces-is-found', value('piece'), LAYERS),
  guard('a-layer-is-what-its-digest-says', never, LAYERS),
  guard('a-layer-is-what-the-configuration-says', never, LAYERS),
  guard('layers-unpack-to-so-many-bytes', never, LAYERS),
  guard('no-secret-of-a-build-in-its-image', value('null'), LAYERS),
  guard('no-name-leads-out-of-an-image', never, LAYERS),
  guard('a-whiteout-takes-away-what-is-below', drop, LAYERS),
  guard('no-secret-of-a-build-in-the-configuration-of-its-image', value('undefined'), ATTESTED),
  guard('what-is-not-known-whole-is-not-told-to-rules', never, 'cyclonedx'),
  guard('provenance-is-signed-with-its-type', swap('PAYLOAD_TYPE.length', '0'), ATTESTED),
  guard('a-document-of-an-image-is-what-was-kept', always, ATTESTED),
  guard('a-scan-is-of-the-image-that-is-there', never, ATTESTED),
  guard('a-scan-that-failed-is-not-a-clean-one', drop, 'scan/report'),
  guard('what-is-scanned-is-what-was-read', never, 'scan/layout'),
  guard('the-environment-of-a-scanner', drop, ATTESTED),
  guard('a-scanner-does-not-see-the-data-of-the-server', drop, ATTESTED),
  guard('a-scanner-that-is-late', swap('fail(', 'void ('), ATTESTED),
  guard('what-a-scanner-prints-is-bounded', never, ATTESTED),
  guard('base-images-come-from-where-they-may', never, 'builder-program'),
  // Archives.
  guard('an-absolute-path', never, ARCHIVES),
  guard('a-way-out', never, ARCHIVES),
  guard('a-backslash', never, ARCHIVES),
  guard('names-that-fall-together', never, ARCHIVES),
  guard('a-name-twice', never, ARCHIVES),
  guard('a-link', swap('kind === KIND_LINK', 'false'), ARCHIVES),
  guard('a-device', swap('(kind !== 0 && kind !== KIND_FILE && kind !== KIND_FOLDER)', 'false'), ARCHIVES),
  guard('an-encrypted-entry', never, ARCHIVES),
  guard('what-unpacks-too-well', never, ARCHIVES),
  guard('too-many-entries', never, ARCHIVES),
  guard('too-much-unpacked', never, ARCHIVES),
  guard('entries-that-overlap', never, ARCHIVES),
  guard('two-names-of-one-entry', drop, ARCHIVES),
  guard('what-stands-behind-the-directory', drop, ARCHIVES),
  guard('more-than-is-said', drop, 'contents'),
  guard('the-checksum-of-a-small-entry', never, ARCHIVES),
  guard('the-environment-of-the-reader', drop, READER),
  guard('a-reader-that-is-late', value('undefined'), READER),
  guard('a-contract-is-kept', never, 'manifest/tokens'),
  guard('a-blob-is-what-its-digest-says', never, IMAGES),
  guard('a-configuration-is-what-its-digest-says', never, IMAGES),
  guard('a-prebuilt-image-is-looked-at', drop, MANIFESTS),
  // Uploads.
  guard('how-large-a-file-is', drop, UPLOADS),
  guard('how-long-a-body-takes', value('setTimeout(() => undefined, rule.arrivesMs)'), UPLOADS),
  guard('an-upload-leaves-no-file', drop, UPLOADS),
]
