/**
 * The lines that keep callers in their place among pipelines and templates. `find` occurs exactly once in its file; a test
 * holds the list to the sources.
 */
import type { Guard } from './guard.js'

const PIPELINES = 'src/pipeline/pipeline/pipelines.test.ts'
const DENSE = 'src/pipeline/pipeline/dense-search.test.ts'
const PLACES = 'test/pipeline-places.test.ts'
const TAKE = "    await capacityOf(context.runtime).take(tx, row.orgId, 'pipelines', 1)\n"
const TEMPLATES = 'src/pipeline/template/templates.test.ts'

export const PIPELINE_GUARDS: readonly Guard[] = [
  {
    name: 'what is shared is what is public',
    file: 'runtime/records/visible.ts',
    find: "part.isShared ? eq(table.accessModifier, 'public') : undefined",
    replace: 'undefined',
    test: PIPELINES,
  },
  {
    name: 'what is shared is what is public, deep in a list of many matches too',
    file: 'runtime/records/beside.ts',
    find: 'part.isShared ? eq(ranked.isShared, true) : undefined',
    replace: 'undefined',
    test: DENSE,
  },
  {
    name: 'the organization of a page that is sorted from its matches',
    file: 'runtime/store/search.ts',
    find: 'where: and(isMatch, sql',
    replace: 'where: and(isMatch, isMatch ?? sql',
    test: DENSE,
  },
  {
    name: 'who lists the pipelines of teams',
    file: 'pipeline/pipeline/list.ts',
    find: "  if (!authority.permissions.has('reports:rollup') && !authority.isSuperAdmin) {",
    replace: '  if (false) {',
    test: PIPELINES,
  },
  {
    name: 'what a team deleted is its own',
    file: 'pipeline/pipeline/list.ts',
    find: 'isOthers ? { ...asked, includeDeleted: false } : asked',
    replace: 'asked',
    test: PIPELINES,
  },
  {
    name: 'a deleted template is found by no text',
    file: 'pipeline/template/rows.ts',
    find: '  else await dropSearchText(tx, templateSearch, row.orgId, [row.id])\n',
    replace: '',
    test: TEMPLATES,
  },
  {
    name: 'a deleted template is found by no keyword',
    file: 'pipeline/template/rows.ts',
    find: '  await dropValues(tx, row.orgId, [row.id])\n  if (row.deletedAtMs === null)',
    replace: '  if (row.deletedAtMs === null)',
    test: TEMPLATES,
  },
  {
    name: 'a pipeline is read in its organization',
    file: 'pipeline/pipeline/rows.ts',
    find: ".where(and(eq(t.orgId, value('orgId')), eq(t.id, value('id'))))",
    replace: ".where(eq(t.id, value('id')))",
    test: PIPELINES,
  },
  {
    name: 'who publishes pipelines',
    file: 'pipeline/pipeline/check.ts',
    find: "  if (!modifiers.includes('public') ||",
    replace: "  if (true || !modifiers.includes('public') ||",
    test: PIPELINES,
  },
  {
    name: 'what was judged is what is stored',
    file: 'pipeline/pipeline/update.ts',
    find: '  if (stored.revision !== judgedRow.revision) throw changedMeanwhile()\n',
    replace: '',
    test: PIPELINES,
  },
  {
    name: 'what was judged is what is created',
    file: 'pipeline/pipeline/create.ts',
    find: '  if ((stored?.revision ?? null) !== storedRevision) throw changedMeanwhile()\n',
    replace: '',
    test: PIPELINES,
  },
  {
    name: 'whose pipelines a member changes',
    file: 'runtime/records/catalog.ts',
    find: "  throw insufficient('owner', 'in this organization members",
    replace: "  if (false) throw insufficient('owner', 'in this organization members",
    test: PIPELINES,
  },
  {
    name: 'who gives a pipeline away',
    file: 'runtime/records/catalog.ts',
    find: '  if (owner !== undefined && !(await mayGiveAway(context, stored))) {',
    replace: '  if (false) {',
    test: PIPELINES,
  },
  {
    name: 'an owner is one of the organization',
    file: 'runtime/records/catalog.ts',
    find: '  if (isPossible !== true) {',
    replace: '  if (false) {',
    test: PIPELINES,
  },
  {
    name: 'credentials stay out of properties',
    file: 'pipeline/props/check.ts',
    find: '    ...findCredentials(props, at),\n',
    replace: '',
    test: 'src/pipeline/props/props.test.ts',
  },
  {
    name: 'a template is changed in its organization',
    file: 'pipeline/template/rows.ts',
    find: '.where(and(eq(t.orgId, orgId), eq(t.id, id)))',
    replace: '.where(eq(t.id, id))',
    test: TEMPLATES,
  },
  {
    name: 'the place of a pipeline that is created',
    file: 'pipeline/pipeline/create.ts',
    find: TAKE,
    replace: '',
    test: PLACES,
  },
  {
    name: 'the place of a pipeline that is restored',
    file: 'pipeline/pipeline/delete.ts',
    find: "    await capacityOf(runtime).take(tx, stored.orgId, 'pipelines', 1)\n",
    replace: '',
    test: PLACES,
  },
  {
    name: 'rules that cannot be asked refuse a whole bulk',
    file: 'runtime/records/bulk.ts',
    find: 'error instanceof Refusal && error.status < 500',
    replace: 'error instanceof Refusal',
    test: PIPELINES,
  },
]
