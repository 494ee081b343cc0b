import { type Static, Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { unprocessable } from '../../jsonapi/errors.ts';
import { Id, nullable, text } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import type { WorkspacePresenter } from '../document/presenter.ts';
import { WorkspaceResource } from '../settings/resource.ts';
import type { SshKeyAssignment } from './ssh-key-assignment.ts';

const ById = Type.Object({ workspace_id: Id });
/**
 * Two forms of the body: a workspace with the key's id as an attribute (spec §4.8, which requires the type), or a link
 * to the key (JSON:API 1.1 §9.2.1), whose type is optional.
 */
const Assignment = Type.Object({
  data: nullable(
    Type.Object({
      type: Type.Optional(Type.Enum(['workspaces', 'ssh-keys'])),
      id: Type.Optional(text(100)),
      attributes: Type.Optional(Type.Object({ id: Type.Optional(nullable(text(100))) })),
    }),
  ),
});

/**
 * Returns the id of the key in a body.
 * @throws 422 for a body that names neither a key nor null
 */
function keyIdOf({ data }: Static<typeof Assignment>): string | null {
  if (data === null) return null;
  const isIdentifier = data.type === undefined ? data.attributes === undefined : data.type === 'ssh-keys';
  if (!isIdentifier && data.type === undefined) {
    throw unprocessable([{ detail: 'type is required', pointer: '/data/type' }]);
  }
  const id = isIdentifier ? data.id : data.attributes?.id;
  if (id === undefined) {
    throw unprocessable([{ detail: 'id is required: the id of an SSH key, or null', pointer: '/data/attributes/id' }]);
  }
  return id;
}

/** Route that assigns an SSH key (spec §4.8). */
export function sshKeyAssignmentRoutes(api: Api, keys: SshKeyAssignment, presenter: WorkspacePresenter): void {
  api.patch(
    '/workspaces/:workspace_id/relationships/ssh-key',
    { answer: resourceAnswer(WorkspaceResource), schema: { params: ById, body: Assignment } },
    async (request) => {
      const actor = actorOf(request);
      return presenter.one(actor, await keys.assign(actor, request.params.workspace_id, keyIdOf(request.body)));
    },
  );
}
