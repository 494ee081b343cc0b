import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { MachineIdentities } from '../../components/machine-identities/MachineIdentities.tsx';
import { NotificationList } from '../../components/notifications/NotificationList.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Tokens } from '../../components/tokens/Tokens.tsx';
import { counted } from '../../format/number.ts';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Pipelines } from './Pipelines.tsx';
import { TeamAccess } from './TeamAccess.tsx';
import { TeamMembers } from './TeamMembers.tsx';
import { TeamSettings } from './TeamSettings.tsx';
import * as texts from './texts.ts';

const SHOW = 'GET /teams/{team_id}';
const route = getRouteApi('/signed-in/$organization/teams/$team');

/** Page of a team: its members, permissions, tokens, machine identities and pipeline identities. */
export function TeamPage() {
  const { organization, team: id } = route.useParams();
  const navigate = useNavigate();
  const path = { team_id: id };
  const team = useQuery(workspaces.query(SHOW, { path }));
  const { may: here } = useOrganization(organization);
  const name = team.data?.data.attributes.name ?? id;
  const may = team.data?.data.attributes.permissions;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.teams, to: `/${organization}/teams` },
    { label: name },
  ]);
  usePathLine({ request: workspaces.request(SHOW, { path }), command: `lockkeeper api GET teams/${id}` });
  const tokens = useQuery({
    ...workspaces.query('GET /teams/{team_id}/authentication-tokens', { path, query: { 'page[size]': '100' } }),
    enabled: may?.['can-view-api-token'] ?? false,
  });
  const identities = useQuery({
    ...workspaces.query('GET /teams/{team_id}/machine-identities', { path, query: { 'page[size]': '100' } }),
    enabled: may?.['can-manage-machine-identities'] ?? false,
  });
  const pipelines = useQuery({
    ...workspaces.query('GET /teams/{team_id}/pipeline-identities', { path, query: { 'page[size]': '100' } }),
    enabled: may?.['can-manage-machine-identities'] ?? false,
  });
  return (
    <QueryResult query={team} what={texts.theTeam} missing={<code>can-read</code>} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={data.attributes.name}
            beside={<span className="soft">{texts.team2(counted(data.attributes['users-count'], texts.member3))}</span>}
            lede={data.attributes.visibility === 'secret' ? texts.onlyItsMembersSee : texts.everyMemberOfThe}
          />
          {here?.['can-manage-users'] && <TeamMembers organization={organization} team={data} />}
          <TeamAccess team={data} />
          {may?.['can-view-api-token'] && (
            <Tokens
              title={texts.tokens}
              of={texts.team(name)}
              query={tokens}
              mayRevoke={may['can-update-api-token']}
              create={
                may['can-update-api-token']
                  ? (attributes) =>
                      workspaces.send('POST /teams/{team_id}/authentication-tokens', {
                        path,
                        body: { data: { type: 'authentication-tokens', attributes } },
                      })
                  : undefined
              }
            >
              {texts.anyoneWhoHoldsA}
            </Tokens>
          )}
          {may?.['can-manage-machine-identities'] && (
            <MachineIdentities
              of={texts.team(name)}
              query={identities}
              create={(attributes) =>
                workspaces.send('POST /teams/{team_id}/machine-identities', {
                  path,
                  body: { data: { type: 'machine-identities', attributes } },
                })
              }
            />
          )}
          {may?.['can-manage-machine-identities'] && (
            <Pipelines organization={organization} team={data} query={pipelines} />
          )}
          {may?.['can-update-membership'] && (
            <NotificationList scope={{ type: 'teams', id, organization }} needs="can-update-membership" />
          )}
          {may?.['can-update-name'] && <TeamSettings key={data.id} team={data} />}
          {may?.['can-destroy'] && (
            <Section title={texts.deletion}>
              <p>
                <Destroy
                  verb={texts.deleteText}
                  what={texts.team(name)}
                  name={name}
                  run={() => workspaces.send('DELETE /teams/{team_id}', { path })}
                  onDone={() => navigate({ to: '/$organization/teams', params: { organization } })}
                >
                  <p>{texts.loseThePermissionsOf(counted(data.attributes['users-count'], texts.member3))}</p>
                </Destroy>
              </p>
            </Section>
          )}
        </>
      )}
    </QueryResult>
  );
}
