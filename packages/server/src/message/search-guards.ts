/** The text index of messages. It is a separate file because the table definitions import it. */
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { textIndex } from '../runtime/store/search.js'
import type { Guards } from '../runtime/store/table-set.js'

/**
 * Its procedure finds threads in which the organization is a side; for the system organization, on request, all
 * threads.
 */
export const messageSearchGuards = (name: string): Required<Guards> =>
  textIndex(name, {
    parameters: 'p_org text, p_pattern text, p_everything boolean, p_limit integer',
    mayLook: `current_setting('role') = 'plumbline_system'
    OR (p_org = current_setting('app.org', true) AND (NOT p_everything OR p_org = '${SYSTEM_ORG_ID}'))`,
    look: `SELECT DISTINCT t.root_id::text FROM public.${name} t
      WHERE (p_everything OR t.thread_org_id = p_org OR t.thread_recipient_org_id IN (p_org, '*'))
        AND (t.title LIKE p_pattern OR t.body LIKE p_pattern) LIMIT p_limit`,
  })
