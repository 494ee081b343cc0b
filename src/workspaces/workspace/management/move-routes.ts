import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id, identifiers } from '../../jsonapi/schema.ts';
import { done } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { WorkspaceMoves } from './moves.ts';

const OfProject = Type.Object({ project_id: Id });
const Moved = Type.Object({ data: identifiers('workspaces', { maxItems: 500 }) });

/** Route that moves many workspaces of one project to another. */
export function moveRoutes(api: Api, moves: WorkspaceMoves): void {
  const path = '/projects/:project_id/relationships/workspaces';
  api.post(path, { answer: done, schema: { params: OfProject, body: Moved } }, async (request, reply) => {
    const ids = request.body.data.map(({ id }) => id);
    await moves.moveTo(actorOf(request), request.params.project_id, ids);
    reply.code(204);
  });
}
