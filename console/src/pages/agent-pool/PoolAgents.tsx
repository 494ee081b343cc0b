import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import type { IconName } from '../../components/icon/icons.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { State } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';
import * as texts from './texts.ts';

const LIST = 'GET /agent-pools/{agent_pool_id}/agents';
const EVERY_MS = 5_000;
type Agent = Resources['agents'];
type Status = Agent['attributes']['status'];

const SIGNS: Readonly<Record<Status, readonly [IconName, 'good' | 'accent' | 'idle' | 'bad' | 'attention']>> = {
  idle: ['ok', 'good'],
  busy: ['run', 'accent'],
  exited: ['slash', 'idle'],
  errored: ['err', 'bad'],
  unknown: ['warn', 'attention'],
};
/** Overrides for statuses that need an explanation. */
const WORDS: Partial<Record<Status, string>> = { unknown: texts.unknownNoContact };
const isGone = ({ attributes: { status } }: Agent) => !['idle', 'busy'].includes(status);

interface AgentsProps {
  readonly organization: string;
  readonly pool: string;
  readonly manages: boolean;
}

/** Agents of a pool. Each slot of a machine registers as one agent. */
export function PoolAgents({ organization, pool, manages }: AgentsProps) {
  const agents = useQuery({
    ...workspaces.query(LIST, { path: { agent_pool_id: pool }, query: { 'page[size]': '100', sort: '-created-at' } }),
    refetchInterval: EVERY_MS,
  });
  return (
    <Section title={texts.agents} note={agents.data && count(agents.data.meta.pagination['total-count'] ?? 0)}>
      <p className="soft">{texts.agentsHint}</p>
      <QueryResult query={agents} what={texts.agents}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">
              {texts.noAgentsYet} <code>lockkeeper agent</code>
            </p>
          ) : (
            <Table
              label={texts.agents}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: texts.name, isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                {
                  id: 'status',
                  head: texts.status,
                  cell: (agent) => <Standing organization={organization} agent={agent} />,
                },
                {
                  id: 'engines',
                  head: texts.engines,
                  className: 'soft',
                  cell: ({ attributes }) => attributes.engines.join(', ') || texts.installedWhenNeeded,
                },
                { id: 'from', head: texts.from, cell: ({ attributes }) => <code>{attributes['ip-address']}</code> },
                {
                  id: 'sign',
                  head: texts.lastContact,
                  isNumber: true,
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      <Ago time={attributes['last-ping-at']} /> {texts.ago}
                    </>
                  ),
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: (agent) =>
                    manages &&
                    isGone(agent) && (
                      <Destroy
                        verb={texts.deregister}
                        what={texts.agent(agent.attributes.name)}
                        isRow
                        run={() => workspaces.send('DELETE /agents/{agent_id}', { path: { agent_id: agent.id } })}
                      >
                        <p>{texts.theServerStopsWaiting}</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </QueryResult>
    </Section>
  );
}

function Standing({ organization, agent }: { readonly organization: string; readonly agent: Agent }) {
  const { status } = agent.attributes;
  const [icon, is] = SIGNS[status];
  const run = agent.relationships.run.data?.id;
  return (
    <State icon={icon} is={is as 'good'}>
      {WORDS[status] ?? status}
      {run && status === 'busy' && (
        <span className="soft" title={texts.inText(organization)}>
          {' '}
          {texts.with} <code>{run}</code>
        </span>
      )}
    </State>
  );
}
