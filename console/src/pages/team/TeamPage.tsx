import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { MachineIdentities } from '../../components/machine-identities/MachineIdentities.tsx';
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

const SHOW = 'GET /teams/{team_id}';
const route = getRouteApi('/signed-in/$organization/teams/$team');

/** A team: who is in it, what it may do, which tokens and machines act for it. */
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
    { label: 'Teams', to: `/${organization}/teams` },
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
    <Answered query={team} what="The team" missing={<code>can-read</code>} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={data.attributes.name}
            beside={<span className="soft">team, {counted(data.attributes['users-count'], 'member')}</span>}
            lede={
              data.attributes.visibility === 'secret'
                ? 'Its members alone see it.'
                : 'Everybody in the organization sees it.'
            }
          />
          {here?.['can-manage-users'] && <TeamMembers organization={organization} team={data} />}
          <TeamAccess team={data} />
          {may?.['can-view-api-token'] && (
            <Tokens
              title="Tokens"
              of={`team ${name}`}
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
              Whoever holds one acts as the team, with all that its members may.
            </Tokens>
          )}
          {may?.['can-manage-machine-identities'] && (
            <MachineIdentities
              of={`team ${name}`}
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
          {may?.['can-update-name'] && <TeamSettings key={data.id} team={data} />}
          {may?.['can-destroy'] && (
            <Section title="Deletion">
              <p>
                <Destroy
                  verb="Delete"
                  what={`team ${name}`}
                  name={name}
                  run={() => workspaces.send('DELETE /teams/{team_id}', { path })}
                  onDone={() => navigate({ to: '/$organization/teams', params: { organization } })}
                >
                  <p>
                    {counted(data.attributes['users-count'], 'member')} lose what it gave them; its tokens end at once,
                    and its machines and pipelines act for nobody.
                  </p>
                </Destroy>
              </p>
            </Section>
          )}
        </>
      )}
    </Answered>
  );
}
