/**
 * The documented filters and orders of the two lists (spec platform 21). If it makes a difference, each has a value
 * that many records have and one that few have. Shares refer to live records.
 */
export interface MeasuredQuery {
  readonly name: string
  readonly query: string
  /** Set if so few records match that there is no offset of 1,000. */
  readonly isFew?: boolean
}

const q = (name: string, query: string, isFew = false): MeasuredQuery => ({ name, query, ...(isFew ? { isFew } : {}) })

const COMMON: readonly MeasuredQuery[] = [
  q('none', ''),
  q('sortBy=updatedAt', 'sortBy=updatedAt'),
  q('id: three', `id=${[1, 2, 3].map((n) => `{id}${n.toString(16).padStart(12, '0')}`).join(',')}`, true),
  q('id: a prefix of all', 'id={id8}'),
  q('keyword, half', 'keyword=service'),
  q('keyword, 1 in 20', 'keyword=twentieth'),
  q('keyword, 1 in 1000', 'keyword=kw-8', true),
  q('q, half', 'q=evenly'),
  q('q, 1 in 20', 'q=sometimes'),
  q('q, 1 in 1000', 'q=seldom', true),
  q('q of two letters', 'q=ve'),
  q('label, half', 'label.tier=gold'),
  q('label, 1 in 20', 'label.ring=inner'),
  q('label, 1 in 1000', 'label.cell=c8', true),
  q('ownerId=me, 1 in 100', 'ownerId=me', true),
  q('ownerId=unowned, 1 in 10', 'ownerId=unowned'),
  q('lifecycle, 3 in 5', 'lifecycle=production'),
  q('lifecycle, 1 in 5', 'lifecycle=deprecated'),
  q('criticality, 1 in 5', 'criticality=high'),
  q('accessModifier=public, 1 in 10', 'accessModifier=public'),
  q('accessModifier=private', 'accessModifier=private'),
  q('isActive=false, 1 in 50', 'isActive=false'),
  q('isActive=all', 'isActive=all'),
  q('isDefault=true', 'isDefault=true'),
  q('isDefault=false', 'isDefault=false'),
]

export const PIPELINE_QUERIES: readonly MeasuredQuery[] = [
  ...COMMON,
  q('sortBy=project', 'sortBy=project'),
  q('sortBy=organization', 'sortBy=organization'),
  q('sortBy=pipelineName', 'sortBy=pipelineName&sortOrder=asc'),
  q('sortBy=lifecycle', 'sortBy=lifecycle'),
  q('project', 'project=project-8', true),
  q('organization, 1 in 5', 'organization=team-1'),
  q('pipelineName, exactly', 'pipelineName=deploy-0', true),
  q('pipelineName~, 1 in 4', 'pipelineName=deploy~'),
  q('plugin, half', 'plugin=node-build'),
  q('plugin, 1 in 1000', 'plugin=plugin-8', true),
  q('templateId, 1 in 1000', 'templateId=template-8', true),
  q('updatedSince, half', 'updatedSince={middle}'),
  q('includeDeleted', 'includeDeleted=true'),
  q('fields with props', 'fields=pipelineName,props'),
]

export const PLUGIN_QUERIES: readonly MeasuredQuery[] = [
  ...COMMON,
  q('sortBy=name', 'sortBy=name&sortOrder=asc'),
  q('sortBy=version', 'sortBy=version'),
  q('sortBy=category', 'sortBy=category'),
  q('name holds, 1 in 4', 'name=deploy'),
  q('nameExact', 'nameExact=build-0', true),
  q('version, exactly, 1 in 4', 'version=1.1.0'),
  q('version, a range, half', 'version=^1.2.0'),
  q('pluginType, 1 in 4', 'pluginType=ShellStep'),
  q('computeType, half', 'computeType=SMALL'),
  q('category, 1 in 5', 'category=security'),
  q('buildType, half', 'buildType=metadata_only'),
  q('buildStatus, 1 in 4', 'buildStatus=ready'),
  q('latestOnly', 'latestOnly=true'),
  q('scope=own', 'scope=own'),
  q('scope=shared', 'scope=shared', true),
]
