import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Section } from '../../components/section/Section.tsx';
import { RunState } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';

interface Queue {
  readonly data: readonly Resources['runs'][];
  readonly included?: readonly { readonly id: string; readonly type: string }[];
  readonly meta: { readonly pagination: { readonly 'total-count'?: number } };
}

interface QueueProps {
  readonly organization: string;
  readonly query: UseQueryResult<Queue>;
}

/** What waits for the agents of a pool, in the order in which they are given it. */
export function PoolQueue({ organization, query }: QueueProps) {
  const total = query.data?.meta.pagination['total-count'] ?? 0;
  return (
    <Section title="Waiting" note={total > 0 && count(total)}>
      <Answered query={query} what="The queue">
        {(answer) =>
          answer.data.length === 0 ? (
            <p className="soft">Nothing waits.</p>
          ) : (
            <Table
              label="Runs that wait"
              flush
              twoLines
              items={answer.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'workspace',
                  head: 'Workspace',
                  isName: true,
                  cell: (run) => <OfRun organization={organization} answer={answer} run={run} />,
                },
                { id: 'status', head: 'Status', cell: ({ attributes }) => <RunState status={attributes.status} /> },
                {
                  id: 'why',
                  head: 'Message',
                  className: 'soft',
                  cell: ({ attributes }) => <bdi>{attributes['waiting-for'] ?? attributes.message}</bdi>,
                },
                {
                  id: 'since',
                  head: 'Queued',
                  isNumber: true,
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      <Ago time={attributes['created-at']} /> ago
                    </>
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

interface OfRunProps {
  readonly organization: string;
  readonly answer: Queue;
  readonly run: Resources['runs'];
}

function OfRun({ organization, answer, run }: OfRunProps) {
  const workspace = related(answer, run.relationships.workspace.data, 'workspaces')?.attributes.name;
  if (workspace === undefined) return <code>{run.id}</code>;
  return (
    <Link
      to="/$organization/workspaces/$workspace/runs/$run"
      params={{ organization, workspace, run: run.id }}
      aria-label={`Run of ${workspace}`}
    >
      <bdi>{workspace}</bdi>
    </Link>
  );
}
