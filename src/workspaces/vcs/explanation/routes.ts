import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { ANY_TYPE, Id, text } from '../../jsonapi/schema.ts';
import { actorOf } from '../../tenancy/index.ts';
import { TriggerAttributes } from '../../workspace/index.ts';
import { explanationResource, previewResource } from './document.ts';
import type { Explanations } from './explanations.ts';
import { MAX_PREVIEWED, type Previews } from './previews.ts';

const OfWorkspace = Type.Object({ workspace_id: Id });
/** A name of a branch or tag has at most 255 bytes at the known providers. */
const name = Type.Optional(text(255));
const ABOUT = Type.Object({
  commit: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
  branch: name,
  tag: name,
  pull: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
const COUNT = Type.Object({ count: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PREVIEWED })) });
const Unsaved = Type.Object({ data: Type.Object({ type: ANY_TYPE, attributes: TriggerAttributes }) });
const USUAL_COUNT = 10;

/** Routes that say why a commit starts a run, or none. HCP Terraform has no such routes. */
export function vcsExplanationRoutes(api: Api, explanations: Explanations, previews: Previews): void {
  const explained = { schema: { params: OfWorkspace, querystring: ABOUT } };
  api.get('/workspaces/:workspace_id/vcs-explanation', explained, async (request) => {
    const explanation = await explanations.explain(actorOf(request), request.params.workspace_id, request.query);
    return { data: explanationResource(explanation) };
  });

  const saved = { schema: { params: OfWorkspace, querystring: COUNT } };
  api.get('/workspaces/:workspace_id/vcs-preview', saved, async (request) => {
    const { params, query } = request;
    const commits = await previews.preview(actorOf(request), params.workspace_id, query.count ?? USUAL_COUNT);
    return { data: commits.map(previewResource) };
  });

  const unsaved = { schema: { params: OfWorkspace, querystring: COUNT, body: Unsaved } };
  api.post('/workspaces/:workspace_id/vcs-preview', unsaved, async (request) => {
    const { params, query, body } = request;
    const count = query.count ?? USUAL_COUNT;
    const commits = await previews.preview(actorOf(request), params.workspace_id, count, body.data.attributes);
    return { data: commits.map(previewResource) };
  });
}
