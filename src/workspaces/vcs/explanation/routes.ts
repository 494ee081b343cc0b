import { Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id, resourceBody, text } from '../../jsonapi/schema.ts';
import { listAnswer, resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../../tenancy/index.ts';
import { TriggerAttributes } from '../../workspace/index.ts';
import type { Browse } from '../browse/browse.ts';
import { connectionIn, ofRepository } from '../browse/connection-query.ts';
import type { Explanations } from './explanations.ts';
import type { Previews } from './previews.ts';
import { ExplanationResource, PreviewResource } from './resource.ts';

const OfOrganization = Type.Object({ organization_name: Id });
const OfWorkspace = Type.Object({ workspace_id: Id });
/** A name of a branch or tag has at most 255 bytes at the known providers. */
const name = Type.Optional(text(255));
const ABOUT = Type.Object({
  commit: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
  branch: name,
  tag: name,
  pull: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,14}$' })),
});
/**
 * Maximum number of commits or tags of a preview. Each may need a request to the Git server.
 * @limit commits or tags of a VCS preview, commits -> only the newest are returned
 */
const MAX_PREVIEWED = 20;
const COUNT = Type.Object({ count: Type.Optional(Type.String({ pattern: '^[1-9]\\d?$' })) });
const Unsaved = resourceBody('workspaces', TriggerAttributes, {});
const USUAL_COUNT = 10;

const countOf = ({ count = USUAL_COUNT }: { readonly count?: string | number }): number =>
  Math.min(MAX_PREVIEWED, Number(count));

/** Routes that say why a commit starts a run, or none. HCP Terraform has no such routes. */
export function vcsExplanationRoutes(api: Api, explanations: Explanations, previews: Previews, browse: Browse): void {
  const explained = {
    answer: resourceAnswer(ExplanationResource),
    schema: { params: OfWorkspace, querystring: ABOUT },
  };
  api.get('/workspaces/:workspace_id/vcs-explanation', explained, async (request) => {
    const { pull, ...query } = request.query;
    const question = { ...query, pull: pull === undefined ? undefined : Number(pull) };
    const explanation = await explanations.explain(actorOf(request), request.params.workspace_id, question);
    return { data: ExplanationResource.document(explanation) };
  });

  const previewed = listAnswer(PreviewResource);
  const saved = { answer: previewed, schema: { params: OfWorkspace, querystring: COUNT } };
  api.get('/workspaces/:workspace_id/vcs-preview', saved, async (request) => {
    const { params, query } = request;
    const commits = await previews.preview(actorOf(request), params.workspace_id, countOf(query));
    return { data: commits.map(PreviewResource.document) };
  });

  const unsaved = { answer: previewed, schema: { params: OfWorkspace, querystring: COUNT, body: Unsaved } };
  api.post('/workspaces/:workspace_id/vcs-preview', unsaved, async (request) => {
    const { params, query, body } = request;
    const count = countOf(query);
    const commits = await previews.preview(actorOf(request), params.workspace_id, count, body.data.attributes);
    return { data: commits.map(PreviewResource.document) };
  });

  const ofNew = Type.Object({ ...COUNT.properties, ...ofRepository });
  const unlinked = { answer: previewed, schema: { params: OfOrganization, querystring: ofNew, body: Unsaved } };
  api.post('/organizations/:organization_name/vcs/preview', unlinked, async (request) => {
    const { params, query, body } = request;
    const id = connectionIn(query);
    const { identifier } = query;
    const commits = await browse.open(actorOf(request), params.organization_name, id, identifier, (found, remote) => {
      // Lists of changed files are cached for the repository.
      const repository = { ...found, id: `${id} ${found.providerId}` };
      return previews.previewNew({ repository, remote }, countOf(query), body.data.attributes);
    });
    return { data: commits.map(PreviewResource.document) };
  });
}
