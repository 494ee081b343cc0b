import { type Static, Type } from 'typebox';
import { type AnyRequest, type Api, urlOf } from '../../http/api.ts';
import { pageDocument, pageOf, pageQuery } from '../../jsonapi/pagination.ts';
import { Id } from '../../jsonapi/schema.ts';
import { actorOf, type Organizations } from '../../tenancy/index.ts';
import type { Runs } from '../run/runs.ts';

/** The services that say who sees the place where something would be. */
export interface AbsentServices {
  readonly organizations: Organizations;
  readonly runs: Runs;
}

/**
 * What the original has and nobody can make here: policies. Clients list it on their way to something else,
 * and give up at a 404; that there is none is an answer, for whoever sees the place.
 */
export function absentRoutes(api: Api, { organizations, runs }: AbsentServices): void {
  const querystring = Type.Object(pageQuery);
  type Asked = AnyRequest & { readonly query: Static<typeof querystring> };
  const nothing = (request: Asked) => pageDocument(urlOf(request), pageOf(request.query), 0, []);

  const ofOrganization = Type.Object({ organization_name: Id });
  for (const kind of ['policies', 'policy-sets']) {
    const path = `/organizations/:organization_name/${kind}`;
    api.get(path, { schema: { params: ofOrganization, querystring } }, async (request) => {
      await organizations.find(actorOf(request), request.params.organization_name, 'can-traverse');
      return nothing(request);
    });
  }

  const ofRun = Type.Object({ run_id: Id });
  api.get('/runs/:run_id/policy-checks', { schema: { params: ofRun, querystring } }, async (request) => {
    await runs.show(actorOf(request), request.params.run_id);
    return nothing(request);
  });
}
