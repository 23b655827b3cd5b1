/** The organization's settings for attributing incidents to deployments. */
import { eq } from 'drizzle-orm'
import type { Db } from '../runtime/store/db.js'
import { DEFAULT_DORA_SETTINGS, type DoraSettings } from './model.js'
import { reportingTables } from './tables.js'

/** The environment of an incident. One whose sender named none is about the first headline environment. */
export const environmentOf = (
  { environment }: { readonly environment: string },
  { headlineEnvironments }: Pick<DoraSettings, 'headlineEnvironments'>,
): string => environment || (headlineEnvironments[0] ?? 'production')

/** Why an incident is in this environment; null where its sender named it. */
export const whyEnvironment = (
  { environment }: { readonly environment: string },
  { headlineEnvironments }: Pick<DoraSettings, 'headlineEnvironments'>,
): string | null =>
  environment === ''
    ? `the incident names no environment, so it is in ${environmentOf({ environment }, { headlineEnvironments })}, the first of \`headlineEnvironments\`: change that with PUT /reports/settings/incidents, or label the alert with its environment`
    : null

export async function readSettings(db: Db, orgId: string): Promise<DoraSettings> {
  const { reportSettings: t } = reportingTables(db)
  const [row] = await db.select().from(t).where(eq(t.orgId, orgId))
  return { ...DEFAULT_DORA_SETTINGS, ...row?.settings }
}
