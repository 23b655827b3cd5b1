/**
 * The lines that keep archives, plugins and builds what they are: whose they are, who changes them, what an archive may hold, and
 * which builder may end a build. `find` occurs exactly once in its file; a test holds the list to the sources.
 */
import type { Guard } from './guard.js'

const RIGHTS = 'src/plugin/record/rights.test.ts'
const PLUGINS = 'src/plugin/record/plugins.test.ts'
const QUEUE = 'src/plugin/build/queue.test.ts'
const MODEL = 'src/plugin/build/queue-model.test.ts'
const ARCHIVES = 'src/plugin/archive/read.test.ts'
const READER = 'src/plugin/archive/isolated.test.ts'
const MANIFESTS = 'src/plugin/manifest/read.test.ts'
const IMAGES = 'src/plugin/image/image.test.ts'
const UPLOADS = 'src/runtime/http/upload.test.ts'

const guard = (name: string, file: string, find: string, replace: string, test: string): Guard => ({
  name,
  file: `${file}.ts`,
  find,
  replace,
  test,
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: pieces of the sources
export const PLUGIN_GUARDS: readonly Guard[] = [
  // Whose they are.
  guard('a plugin by id is one that is seen', 'plugin/record/visible', ', isVisible(key, plugins)))', '))', PLUGINS),
  guard(
    'organizations take turns at the reader of archives',
    'plugin/archive/turns',
    'if (own.length > 0) waiting.set(orgId, own)',
    'if (own.length > 0) return void own.forEach((each) => each())',
    'src/plugin/archive/turns.test.ts',
  ),
  guard(
    'so many archives of one organization wait',
    'plugin/archive/turns',
    'count >= all || own.length >= each',
    'count >= all',
    'src/plugin/archive/turns.test.ts',
  ),
  guard(
    'keys of a map are counted before they are compared',
    'plugin/manifest/source',
    'if (isMapToken(each) && items.length > KEYS_MAX) return each.offset',
    '',
    'src/plugin/manifest/read.test.ts',
  ),
  guard(
    'a plugin to be changed is an own one',
    'plugin/record/visible',
    'and(eq(plugins.orgId, orgId), inArray(plugins.id, [...ids]), isLive(plugins))',
    'and(inArray(plugins.id, [...ids]), isLive(plugins))',
    PLUGINS,
  ),
  guard(
    'the list of plugins',
    'runtime/records/beside',
    '  const conditions = and(inPart(part, table), live,',
    '  const conditions = and(live,',
    PLUGINS,
  ),
  guard(
    'a deleted plugin is an own one',
    'plugin/record/restore',
    'and(eq(plugins.id, id), eq(plugins.orgId, orgId), isDeleted(plugins))',
    'and(eq(plugins.id, id), isDeleted(plugins))',
    RIGHTS,
  ),
  guard(
    'a build by id',
    'plugin/build/seen',
    'and(eq(buildJobs.id, id), eq(buildJobs.orgId, tenantId(context as ReadContext)))',
    'eq(buildJobs.id, id)',
    QUEUE,
  ),
  guard('the lists of builds', 'plugin/build/seen', 'context.authority.isSuperAdmin ?', 'true ?', QUEUE),
  guard(
    'an organization loses its own dead letters alone',
    'plugin/build/dead-letters',
    "    .where(and(eq(buildJobs.orgId, orgId), eq(buildJobs.state, 'dead')))",
    "    .where(eq(buildJobs.state, 'dead'))",
    QUEUE,
  ),
  // Who changes them.
  guard(
    'who publishes plugins',
    'plugin/record/rights',
    "  if (!modifiers.includes('public') ||",
    "  if (true || !modifiers.includes('public') ||",
    RIGHTS,
  ),
  guard('who changes whose plugins', 'plugin/record/rights', '  await checkWriteScope(context, row)\n', '', RIGHTS),
  guard(
    'an upload changes a plugin as a change does',
    'plugin/record/prepare-upload',
    '    await checkMayChange(context, existing, accessModifier)\n',
    '',
    RIGHTS,
  ),
  guard(
    'who uploads what is public',
    'plugin/record/prepare-upload',
    '  checkPublish(context, fields.accessModifier)\n',
    '',
    RIGHTS,
  ),
  guard(
    'a public version stays as it is',
    'plugin/record/prepare-upload',
    "existing.accessModifier === 'public' && !replace",
    'false',
    PLUGINS,
  ),
  guard('what an image was built from', 'plugin/record/change', '  checkBuildInputs(stored, names)\n', '', PLUGINS),
  guard('a plugin without its image', 'plugin/record/change', '  checkState(stored, next, names)\n', '', PLUGINS),
  guard(
    'what was judged is what is changed',
    'plugin/record/rights',
    '  if (prepared.revision === stored.revision) return\n',
    '  return\n',
    RIGHTS,
  ),
  guard(
    'what was judged is what is uploaded',
    'plugin/record/upload',
    ' || existing?.revision !== replaces?.revision',
    '',
    RIGHTS,
  ),
  guard(
    'a pinned plugin stays',
    'plugin/record/delete',
    '    if (force !== true) await checkNotPinned(tx, context, stored)\n',
    '',
    PLUGINS,
  ),
  // Places and verdicts.
  guard(
    'a plugin takes a place',
    'plugin/record/upload',
    "  if (existing === null) await capacity.take(context.tx, orgId, 'plugins', 1)\n",
    '',
    RIGHTS,
  ),
  guard(
    'an archive takes its bytes',
    'plugin/record/upload',
    "  if (moreBytes > 0) await capacity.take(context.tx, orgId, 'storageBytes', moreBytes)\n",
    '',
    RIGHTS,
  ),
  guard(
    'a replay takes the place again',
    'plugin/build/replay',
    "    if (plugin.buildStatus === 'failed') await capacityOf(runtime).take(tx, job.orgId, 'plugins', 1)\n",
    '',
    RIGHTS,
  ),
  guard(
    'a version that is there again',
    'plugin/record/restore',
    '    if ((await pluginOfVersion(tx, orgId, stored.name, stored.version)) !== null) {',
    '    if (false) {',
    PLUGINS,
  ),
  // Builders.
  guard(
    'one builder holds a build',
    'plugin/build/queue',
    'and(eq(buildJobs.id, jobId), eq(buildJobs.fence, fence), eq(buildJobs.state,',
    'and(eq(buildJobs.id, jobId), eq(buildJobs.state,',
    QUEUE,
  ),
  guard(
    'claims of several processes take turns',
    'plugin/build/queue',
    "      if (tx.database === 'pg') await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtext('plumbline.build_jobs'))`)\n",
    '',
    'test/build-claims.test.ts',
  ),
  guard(
    'a build that is over stays so',
    'plugin/build/queue',
    "eq(buildJobs.fence, fence), eq(buildJobs.state, 'active'))",
    'eq(buildJobs.fence, fence))',
    QUEUE,
  ),
  guard(
    'a build ends in time',
    'plugin/build/queue',
    '(job.startedAtMs ?? nowMs) < nowMs - timeoutMs || (job.leaseUntilMs',
    '(job.leaseUntilMs',
    QUEUE,
  ),
  guard('how many builds at a time', 'plugin/build/turns', '.filter(({ orgId }) => !full.has(orgId))', '', QUEUE),
  guard('whose turn it is', 'plugin/build/turns', 'Math.max(floor, turns.get(orgId)?.pass ?? 0)', '0', QUEUE),
  guard(
    'a dead letter is replayed once',
    'plugin/build/replay',
    "    const job = await jobOf(context, tx, jobId)\n    if (job.state !== 'dead') throw notDead(job)\n",
    '    const job = await jobOf(context, tx, jobId)\n',
    QUEUE,
  ),
  guard(
    'a plugin whose round was purged has failed',
    'plugin/build/dead-letters',
    "    .set({ buildStatus: 'failed' })",
    "    .set({ buildStatus: 'queued' })",
    MODEL,
  ),
  guard('no secret in a build log', 'plugin/build/queue', '${hideSecrets(text)', '${(text)', QUEUE),
  // Archives.
  guard(
    'an absolute path',
    'plugin/archive/names',
    "  if (name.startsWith('/')) return",
    '  if (false) return',
    ARCHIVES,
  ),
  guard('a way out', 'plugin/archive/names', "  if (segments.includes('..')) return", '  if (false) return', ARCHIVES),
  guard('a backslash', 'plugin/archive/names', "  if (name.includes('\\\\')) return", '  if (false) return', ARCHIVES),
  guard(
    'names that fall together',
    'plugin/archive/names',
    '    if (known.spelling !== spelling) {',
    '    if (false) {',
    ARCHIVES,
  ),
  guard(
    'a name twice',
    'plugin/archive/names',
    '    if (named && known.named) return',
    '    if (false) return',
    ARCHIVES,
  ),
  guard('a link', 'plugin/archive/structure', '  if (kind === KIND_LINK ||', '  if (false ||', ARCHIVES),
  guard(
    'a device',
    'plugin/archive/structure',
    '  if ((kind !== 0 && kind !== KIND_FILE && kind !== KIND_FOLDER) ||',
    '  if (false ||',
    ARCHIVES,
  ),
  guard(
    'an encrypted entry',
    'plugin/archive/structure',
    '  if ((flags & FLAG_ENCRYPTED) !== 0) return',
    '  if (false) return',
    ARCHIVES,
  ),
  guard(
    'what unpacks too well',
    'plugin/archive/structure',
    '  if (bytes > RATIO_FREE_BYTES && bytes > limits.ratioMax * packedBytes) {',
    '  if (false) {',
    ARCHIVES,
  ),
  guard(
    'too many entries',
    'plugin/archive/structure',
    '  if (zip.entryCount > limits.entriesMax) {',
    '  if (false) {',
    ARCHIVES,
  ),
  guard(
    'too much unpacked',
    'plugin/archive/structure',
    '  if (total > limits.extractedBytesMax) {',
    '  if (false) {',
    ARCHIVES,
  ),
  guard(
    'entries that overlap',
    'plugin/archive/structure',
    '    if (entry.headerAt < expectedAt) throw',
    '    if (false) throw',
    ARCHIVES,
  ),
  guard(
    'two names of one entry',
    'plugin/archive/structure',
    "  if (!rest.subarray(0, nameBytes).equals(entry.rawName)) throw differs('its name')\n",
    '',
    ARCHIVES,
  ),
  guard(
    'what stands behind the directory',
    'plugin/archive/structure',
    '  checkTail(fd, zip, directoryAt)\n',
    '',
    ARCHIVES,
  ),
  guard(
    'more than is said',
    'plugin/archive/contents',
    "    if (bytes > entry.bytes) throw wrong(entry, 'is larger than it says')\n",
    '',
    'src/plugin/archive/contents.test.ts',
  ),
  guard(
    'the checksum of a small entry',
    'plugin/archive/contents',
    '  if (crc32(content) !== entry.crc32) throw',
    '  if (false) throw',
    ARCHIVES,
  ),
  guard('the environment of the reader', 'plugin/archive/isolated', '    env: {},\n', '', READER),
  guard(
    'a reader that is late',
    'plugin/archive/isolated',
    "reject(fault('time', 'the archive takes too long to read'))",
    'undefined',
    READER,
  ),
  guard(
    'a contract is kept',
    'plugin/manifest/tokens',
    '  if (!hasDefault && type === undefined && !required.includes(name)) {',
    '  if (false) {',
    'src/plugin/manifest/tokens.test.ts',
  ),
  guard(
    'a blob is what its digest says',
    'plugin/image/image',
    'if (hex !== undefined && digest !== `sha256:${hex}`)',
    'if (false)',
    IMAGES,
  ),
  guard(
    'a configuration is what its digest says',
    'plugin/image/image',
    '  if (file.digest !== `sha256:${hex}`)',
    '  if (false)',
    IMAGES,
  ),
  guard(
    'a prebuilt image is looked at',
    'plugin/manifest/read',
    "    issues.push(fileIssue(IMAGE_FILE, error.message, 'image'))\n",
    '',
    MANIFESTS,
  ),
  // Uploads.
  guard(
    'how large a file is',
    'runtime/http/receive-upload',
    '      if (bytes > rule.bytesMax) throw tooLarge(rule.bytesMax)\n',
    '',
    UPLOADS,
  ),
  guard(
    'how long a body takes',
    'runtime/http/receive-upload',
    'setTimeout(() => late.abort(tooLate(rule.arrivesMs)), rule.arrivesMs)',
    'setTimeout(() => undefined, rule.arrivesMs)',
    UPLOADS,
  ),
  guard(
    'an upload leaves no file',
    'runtime/http/receive-upload',
    '  } catch (error) {\n    await remove()\n',
    '  } catch (error) {\n',
    UPLOADS,
  ),
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
