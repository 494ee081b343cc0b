import { Type } from 'typebox';
import { type Api, actorOf } from '../http/api.ts';
import { Id, nullable, text } from '../jsonapi/schema.ts';
import { workspaceResource } from './document.ts';
import type { WorkspaceLocks } from './locks.ts';

const ById = Type.Object({ workspace_id: Id });

const reason = Type.Optional(nullable(text(1024)));

/** The reason stands at the top (spec §4.7), or where official clients write it; there may be no body at all. */
const LockBody = nullable(
  Type.Object({ reason, data: Type.Optional(Type.Object({ attributes: Type.Optional(Type.Object({ reason })) })) }),
);

/** Spec §4.7. */
export function lockRoutes(api: Api, locks: WorkspaceLocks): void {
  const one = { schema: { params: ById } };

  api.post('/workspaces/:workspace_id/actions/lock', { schema: { params: ById, body: LockBody } }, async (request) => {
    const given = request.body?.reason ?? request.body?.data?.attributes?.reason ?? '';
    return { data: workspaceResource(await locks.lock(actorOf(request), request.params.workspace_id, given)) };
  });

  api.post('/workspaces/:workspace_id/actions/unlock', one, async (request) => {
    return { data: workspaceResource(await locks.unlock(actorOf(request), request.params.workspace_id)) };
  });

  api.post('/workspaces/:workspace_id/actions/force-unlock', one, async (request) => {
    return { data: workspaceResource(await locks.forceUnlock(actorOf(request), request.params.workspace_id)) };
  });
}
