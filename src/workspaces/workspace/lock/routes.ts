import { Type } from 'typebox';
import { type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { ANY_TYPE, Id, nullable, text } from '../../jsonapi/schema.ts';
import { pageAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { WorkspacePresenter } from '../document/presenter.ts';
import { WorkspaceResource } from '../settings/resource.ts';
import type { WorkspaceLocks } from './locks.ts';
import { LockEventResource } from './resource.ts';

const ById = Type.Object({ workspace_id: Id });

const reason = Type.Optional(nullable(text(1024)));

/** The reason is at the top level (spec §4.7) or in `data`, where official clients put it. The body may be missing. */
const LockBody = nullable(
  Type.Object({
    reason,
    data: Type.Optional(Type.Object({ type: ANY_TYPE, attributes: Type.Optional(Type.Object({ reason })) })),
  }),
);

/** Routes of the lock (spec §4.7) and its history. */
export function lockRoutes(api: Api, locks: WorkspaceLocks, presenter: WorkspacePresenter): void {
  const answer = resourceAnswer(WorkspaceResource);
  const one = { answer, schema: { params: ById } };
  const locking = { answer, schema: { params: ById, body: LockBody } };

  api.post('/workspaces/:workspace_id/actions/lock', locking, async (request) => {
    const actor = actorOf(request);
    const given = request.body?.reason ?? request.body?.data?.attributes?.reason ?? '';
    return presenter.one(actor, await locks.lock(actor, request.params.workspace_id, given));
  });

  api.post('/workspaces/:workspace_id/actions/unlock', one, async (request) => {
    const actor = actorOf(request);
    return presenter.one(actor, await locks.unlock(actor, request.params.workspace_id));
  });

  api.post('/workspaces/:workspace_id/actions/force-unlock', one, async (request) => {
    const actor = actorOf(request);
    return presenter.one(actor, await locks.forceUnlock(actor, request.params.workspace_id));
  });

  api.get(
    '/workspaces/:workspace_id/lock-events',
    { answer: pageAnswer(LockEventResource), schema: { params: ById, querystring: Type.Object(pageQuery) } },
    async (request) => {
      const page = pageOf(request.query);
      const { items, total } = await locks.events(actorOf(request), request.params.workspace_id, page);
      return pageDocument(urlOf(request), page, total, items.map(LockEventResource.document));
    },
  );
}
