import { useQuery } from '@tanstack/react-query';
import { type Resources, workspaces } from '../../api/client.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import type { IconName } from '../../components/icon/icons.tsx';
import { Section } from '../../components/section/Section.tsx';
import { State } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';

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
/** Said of those that are silent: the word alone tells nobody what it means. */
const WORDS: Partial<Record<Status, string>> = { unknown: 'unknown: silent' };
const isGone = ({ attributes: { status } }: Agent) => !['idle', 'busy'].includes(status);

interface AgentsProps {
  readonly organization: string;
  readonly pool: string;
  readonly manages: boolean;
}

/** The agents of a pool: each slot of a machine registers as one. */
export function PoolAgents({ organization, pool, manages }: AgentsProps) {
  const agents = useQuery({
    ...workspaces.query(LIST, { path: { agent_pool_id: pool }, query: { 'page[size]': '100', sort: '-created-at' } }),
    refetchInterval: EVERY_MS,
  });
  return (
    <Section title="Agents" note={agents.data && count(agents.data.meta.pagination['total-count'] ?? 0)}>
      <p className="soft">
        One job at a time each: a machine with four slots is four agents. Those that are gone stand here for two hours.
      </p>
      <Answered query={agents} what="Agents">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">
              None has registered. <code>lockkeeper agent</code> starts one, with a token or a certificate of this pool.
            </p>
          ) : (
            <Table
              label="Agents"
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                { id: 'name', head: 'Name', isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                {
                  id: 'status',
                  head: 'Status',
                  cell: (agent) => <Standing organization={organization} agent={agent} />,
                },
                {
                  id: 'engines',
                  head: 'Engines',
                  className: 'soft',
                  cell: ({ attributes }) => attributes.engines.join(', ') || 'loaded when needed',
                },
                { id: 'from', head: 'From', cell: ({ attributes }) => <code>{attributes['ip-address']}</code> },
                {
                  id: 'sign',
                  head: 'Last sign',
                  isNumber: true,
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      <Ago time={attributes['last-ping-at']} /> ago
                    </>
                  ),
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: (agent) =>
                    manages &&
                    isGone(agent) && (
                      <Destroy
                        verb="Deregister"
                        what={`agent ${agent.attributes.name}`}
                        isRow
                        run={() => workspaces.send('DELETE /agents/{agent_id}', { path: { agent_id: agent.id } })}
                      >
                        <p>What it was carrying out is given up. If it comes back, it registers anew.</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </Answered>
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
        <span className="soft" title={`in ${organization}`}>
          {' '}
          with <code>{run}</code>
        </span>
      )}
    </State>
  );
}
