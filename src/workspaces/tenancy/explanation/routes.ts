import { type Static, Type } from 'typebox';
import type { Api } from '../../http/api.ts';
import { Id, text } from '../../jsonapi/schema.ts';
import { resourceAnswer } from '../../openapi/answer.ts';
import { actorOf } from '../permissions/request-actor.ts';
import type { OrganizationExplanation } from './organization-explanation.ts';
import { ExplanationResource } from './resource.ts';
import type { SubjectQuery } from './subjects.ts';

const OfOrganization = Type.Object({ organization_name: Id });

/** Query that selects the user or team. */
export const AboutWhom = Type.Object({
  'filter[user][id]': Type.Optional(text(100)),
  'filter[user][username]': Type.Optional(text(100)),
  'filter[team][id]': Type.Optional(text(100)),
});

export function subjectOf(query: Static<typeof AboutWhom>): SubjectQuery {
  return {
    userId: query['filter[user][id]'],
    username: query['filter[user][username]'],
    teamId: query['filter[team][id]'],
  };
}

/** Routes that explain permissions on an organization. */
export function explanationRoutes(api: Api, explanations: OrganizationExplanation): void {
  const schema = { params: OfOrganization, querystring: AboutWhom };
  api.get(
    '/organizations/:organization_name/access-explanation',
    { answer: resourceAnswer(ExplanationResource), schema },
    async (request) => {
      const { params, query } = request;
      const told = await explanations.explain(actorOf(request), params.organization_name, subjectOf(query));
      return { data: ExplanationResource.document(told) };
    },
  );
}
