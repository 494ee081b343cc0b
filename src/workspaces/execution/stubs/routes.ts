import { type Static, Type } from 'typebox';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { parseInclude } from '../../jsonapi/include.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { emptyPage } from '../../openapi/answer.ts';
import { actorOf, type Organizations } from '../../tenancy/index.ts';
import type { Runs } from '../run/runs.ts';

/** Values of `include` that HCP Terraform accepts, by list. */
const INCLUDES = {
  policies: [],
  'policy-sets': ['current_version', 'newest_version', 'policies', 'projects', 'workspace_exclusions', 'workspaces'],
};

/** Services that check whether the actor may see the parent object. */
export interface StubServices {
  readonly organizations: Organizations;
  readonly runs: Runs;
}

/**
 * Empty lists for features of HCP Terraform that this server does not have, such as policies. Clients read them on the
 * way to something else and stop at a 404, so that actors who may see the parent object get an empty list.
 */
export function stubRoutes(api: Api, { organizations, runs }: StubServices): void {
  // Accepts any filter of HCP Terraform with any value, because the lists are empty.
  const filter = Type.Optional(text(1000));
  const filters = { include: filter, sort: filter, 'search[name]': filter, 'filter[kind]': filter };
  const querystring = Type.Object({ ...pageQuery, ...filters, 'filter[versioned]': filter });
  type Asked = AnyRequest & { readonly query: Static<typeof querystring> };
  function nothing(request: Asked, words: readonly string[]) {
    parseInclude(request.query.include, words);
    return pageDocument(urlOf(request), pageOf(request.query), 0, []);
  }

  const ofOrganization = Type.Object({ organization_name: Id });
  for (const [kind, words] of Object.entries(INCLUDES)) {
    const path = `/organizations/:organization_name/${kind}`;
    api.get(path, { answer: emptyPage, schema: { params: ofOrganization, querystring } }, async (request) => {
      await organizations.find(actorOf(request), request.params.organization_name, 'can-traverse');
      return nothing(request, words);
    });
  }

  const ofRun = Type.Object({ run_id: Id });
  api.get(
    '/runs/:run_id/policy-checks',
    { answer: emptyPage, schema: { params: ofRun, querystring } },
    async (request) => {
      await runs.show(actorOf(request), request.params.run_id);
      return nothing(request, ['run', 'run.workspace']);
    },
  );
}
