import { workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { day } from '../../format/time.ts';
import { endsSoon, type Need } from './need.ts';
import { MOST } from './run-needs.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /organizations/{organization_name}/team-tokens';

/** Requires permission to read team tokens. */
export const tokensQuery = (organization: string) =>
  workspaces.query(LIST, {
    path: { organization_name: organization },
    query: { sort: 'expired-at', 'page[size]': MOST },
  });

type Answer = Awaited<ReturnType<ReturnType<typeof tokensQuery>['queryFn']>>;

/** Team tokens that expire soon. */
export function tokenNeeds(organization: string, answer: Answer, now: number): Need[] {
  return answer.data
    .filter(({ attributes }) => endsSoon(attributes['expired-at'], now))
    .map(({ id, attributes, relationships }) => {
      const team = related(answer, relationships.team?.data, 'teams')?.attributes.name;
      const { description } = attributes;
      const until = attributes['expired-at'] ?? '';
      return {
        key: `token ${id}`,
        group: 'ends',
        icon: 'clock',
        is: 'attention',
        name: team === undefined ? texts.aTeamToken : texts.tokenOf(team),
        organization,
        say: [texts.expiresOn(day(until)), description, attributes['last-used-at'] ? '' : texts.neverUsed]
          .filter(Boolean)
          .join('; '),
        time: until,
      };
    });
}
