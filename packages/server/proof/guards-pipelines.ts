/**
 * The lines that keep callers in their place among pipelines and templates.
 */
import { cut, drop, type Guard, guard, never, swap, value } from './guard.js'

const PIPELINES = 'pipelines'
const DENSE = 'dense-search'
const PLACES = 'pipeline-places'
const TEMPLATES = 'templates'

export const PIPELINE_GUARDS: readonly Guard[] = [
  guard('what-is-shared-is-what-is-public', cut("part.isShared ? eq(table.accessModifier, 'public') :"), PIPELINES),
  guard(
    'what-is-shared-is-what-is-public-deep-in-a-list-of-many-matches-too',
    cut('part.isShared ? eq(ranked.isShared, true) :'),
    DENSE,
  ),
  guard('the-organization-of-a-page-that-is-sorted-from-its-matches', swap('sql', 'isMatch ?? sql'), DENSE),
  guard('who-lists-the-pipelines-of-teams', never, PIPELINES),
  guard('what-a-team-deleted-is-its-own', cut('isOthers ? { ...asked, includeDeleted: false } :'), PIPELINES),
  guard(
    'a-deleted-template-is-found-by-no-text',
    cut('else await dropSearchText(tx, templateSearch, row.orgId, [row.id])'),
    TEMPLATES,
  ),
  guard('a-deleted-template-is-found-by-no-keyword', drop, TEMPLATES),
  guard('a-pipeline-is-read-in-its-organization', cut("eq(t.orgId, value('orgId')), "), PIPELINES),
  guard(
    'who-publishes-pipelines',
    swap("!modifiers.includes('public')", "true || !modifiers.includes('public')"),
    PIPELINES,
  ),
  guard('what-was-judged-is-what-is-stored', drop, PIPELINES),
  guard('what-was-judged-is-what-is-created', drop, PIPELINES),
  guard('requests-that-move-a-default-take-turns', drop, PIPELINES),
  guard('a-recheck-is-shown-to-its-own-organization', value('true'), PIPELINES),
  guard('a-dry-run-needs-the-rights-of-the-write', never, PIPELINES),
  guard(
    'whose-pipelines-a-member-changes',
    swap(
      "throw insufficient('owner', 'in this organization members",
      "if (false) throw insufficient('owner', 'in this organization members",
    ),
    PIPELINES,
  ),
  guard('who-gives-a-pipeline-away', never, PIPELINES),
  guard('an-owner-is-one-of-the-organization', never, PIPELINES),
  guard('credentials-stay-out-of-properties', drop, 'props'),
  guard('a-template-is-changed-in-its-organization', cut('eq(t.orgId, orgId), '), TEMPLATES),
  guard('the-place-of-a-pipeline-that-is-created', drop, PLACES),
  guard('the-place-of-a-pipeline-that-is-restored', drop, PLACES),
  guard('rules-that-cannot-be-asked-refuse-a-whole-bulk', value('error instanceof Refusal'), PIPELINES),
]
