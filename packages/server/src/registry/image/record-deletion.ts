/** Writes the evidence of a deleted tag or digest, and a line of the log once it is committed. */
import type { WriteContext } from '../../runtime/operation/context.js'
import type { checkedRepository } from '../repository.js'

export async function recordDeletion(
  context: WriteContext<'registry.image.delete'>,
  { name, orgId }: ReturnType<typeof checkedRepository>,
  ref: string,
  digest: string,
): Promise<void> {
  const { runtime, actor, request } = context
  await context.audit('registry.image.delete', {
    affectedOrgId: orgId,
    targetType: 'image',
    targetId: `${name}:${ref}`,
    details: { repo: name, ref, digest },
  })
  context.tx.afterCommit(() =>
    runtime.log?.write('registry.tag.delete', {
      ...{ eventCategory: 'audit', actor: actor.id, repo: name, ref, digest },
      requestId: request.requestId,
    }),
  )
}
