import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { MachineIdentities } from '../../components/machine-identities/MachineIdentities.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section, Split } from '../../components/section/Section.tsx';
import { Tokens } from '../../components/tokens/Tokens.tsx';
import { counted } from '../../format/number.ts';
import { day } from '../../format/time.ts';
import { useOrganization } from '../../shell/organization.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { PoolAgents } from './PoolAgents.tsx';
import { PoolQueue } from './PoolQueue.tsx';
import { PoolScope } from './PoolScope.tsx';
import * as texts from './texts.ts';

const SHOW = 'GET /agent-pools/{agent_pool_id}';
const EVERY_MS = 5_000;
const route = getRouteApi('/signed-in/$organization/agents/$pool');

/** Page of an agent pool: its queue, agents, tokens, machine identities and scope. */
export function AgentPoolPage() {
  const { organization, pool: id } = route.useParams();
  const path = { agent_pool_id: id };
  const { may } = useOrganization(organization);
  const manages = may?.['can-update-agent-pools'] ?? false;
  const pool = useQuery({ ...workspaces.query(SHOW, { path }), refetchInterval: EVERY_MS });
  const queue = useQuery({
    ...workspaces.query('GET /agent-pools/{agent_pool_id}/runs', {
      path,
      query: { 'page[size]': '50', include: 'workspace' },
    }),
    enabled: pool.data !== undefined,
    refetchInterval: EVERY_MS,
  });
  const name = pool.data?.data.attributes.name ?? id;
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.agents, to: `/${organization}/agents` },
    { label: name },
  ]);
  usePathLine({ request: workspaces.request(SHOW, { path }), command: `lockkeeper api GET agent-pools/${id}` });
  const tokens = useQuery({
    ...workspaces.query('GET /agent-pools/{agent_pool_id}/authentication-tokens', {
      path,
      query: { 'page[size]': '100' },
    }),
    enabled: manages,
  });
  const identities = useQuery({
    ...workspaces.query('GET /agent-pools/{agent_pool_id}/machine-identities', {
      path,
      query: { 'page[size]': '100' },
    }),
    enabled: manages,
  });
  return (
    <QueryResult query={pool} what={texts.theAgentPool} missing={<code>can-update-agent-pools</code>} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={data.attributes.name}
            beside={<span className="soft">{texts.agentPool}</span>}
            lede={standing(data.attributes['agent-count'], queue.data?.meta.pagination['total-count'])}
          />
          {data.attributes['agent-count'] === 0 && (queue.data?.data.length ?? 0) > 0 && (
            <Banner is="attention" icon="wait">
              {texts.noAgentIsConnected}
            </Banner>
          )}
          <Split aside={<Aside pool={data} />}>
            <PoolQueue organization={organization} query={queue} />
            <PoolAgents organization={organization} pool={id} manages={manages} />
            {manages && (
              <Tokens
                title={texts.tokens}
                of={texts.agentPool2(name)}
                query={tokens}
                mayRevoke
                create={({ description, 'expired-at': end }) =>
                  workspaces.send('POST /agent-pools/{agent_pool_id}/authentication-tokens', {
                    path,
                    body: { data: { attributes: { description, 'expired-at': end } } },
                  })
                }
              >
                {texts.tokensHint}
              </Tokens>
            )}
            {manages && (
              <MachineIdentities
                of={texts.agentPool2(name)}
                query={identities}
                create={(attributes) =>
                  workspaces.send('POST /agent-pools/{agent_pool_id}/machine-identities', {
                    path,
                    body: { data: { type: 'machine-identities', attributes } },
                  })
                }
              />
            )}
            {manages && <PoolScope key={id} organization={organization} pool={data} />}
            {manages && <Deletion organization={organization} pool={data} />}
          </Split>
        </>
      )}
    </QueryResult>
  );
}

const standing = (agents: number, waiting = 0) =>
  `${agents === 0 ? texts.noAgentIsConnected2 : texts.connected(counted(agents, 'agent'))}, ${
    waiting === 0 ? texts.noRunsWaiting : texts.waiting(counted(waiting, 'run'))
  }.`;

function Aside({ pool: { id, attributes, relationships } }: { readonly pool: Resources['agent-pools'] }) {
  return (
    <section>
      <h2>{texts.details}</h2>
      <Facts
        of={[
          [texts.id, <Copyable key="id" text={id} what={texts.id2} />],
          [
            texts.availableTo,
            attributes['organization-scoped']
              ? texts.everyWorkspace
              : `${counted(relationships['allowed-workspaces'].data.length, 'workspace')}, ${counted(relationships['allowed-projects'].data.length, 'project')}`,
          ],
          [texts.usedBy, counted(relationships.workspaces.data.length, 'workspace')],
          [texts.created, day(attributes['created-at'])],
        ]}
      />
    </section>
  );
}

function Deletion({ organization, pool }: { readonly organization: string; readonly pool: Resources['agent-pools'] }) {
  const navigate = useNavigate();
  const { name } = pool.attributes;
  return (
    <Section title={texts.deletion}>
      <p>
        <Destroy
          verb={texts.deleteText}
          what={texts.pool(name)}
          name={name}
          run={() => workspaces.send('DELETE /agent-pools/{agent_pool_id}', { path: { agent_pool_id: pool.id } })}
          onDone={() => navigate({ to: '/$organization/agents', params: { organization } })}
        >
          <p>{texts.deletionHint}</p>
        </Destroy>
      </p>
    </Section>
  );
}
