import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { RunState } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';
import * as texts from './texts.ts';

interface Queue {
  readonly data: readonly Resources['runs'][];
  readonly included?: readonly { readonly id: string; readonly type: string }[];
  readonly meta: { readonly pagination: { readonly 'total-count'?: number } };
}

interface QueueProps {
  readonly organization: string;
  readonly query: UseQueryResult<Queue>;
}

/** Runs that wait for the agents of a pool, in the order in which agents get them. */
export function PoolQueue({ organization, query }: QueueProps) {
  const total = query.data?.meta.pagination['total-count'] ?? 0;
  return (
    <Section title={texts.queue} note={total > 0 && count(total)}>
      <QueryResult query={query} what={texts.theQueue}>
        {(answer) =>
          answer.data.length === 0 ? (
            <p className="soft">{texts.noRunsAreWaiting}</p>
          ) : (
            <Table
              label={texts.waitingRuns}
              flush
              twoLines
              items={answer.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'workspace',
                  head: texts.workspace,
                  isName: true,
                  cell: (run) => <OfRun organization={organization} answer={answer} run={run} />,
                },
                { id: 'status', head: texts.status, cell: ({ attributes }) => <RunState status={attributes.status} /> },
                {
                  id: 'why',
                  head: texts.message,
                  className: 'soft',
                  cell: ({ attributes }) => <bdi>{attributes['waiting-for'] ?? attributes.message}</bdi>,
                },
                {
                  id: 'since',
                  head: texts.queued,
                  isNumber: true,
                  className: 'soft',
                  cell: ({ attributes }) => (
                    <>
                      <Ago time={attributes['created-at']} /> {texts.ago}
                    </>
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
      aria-label={texts.runOf(workspace)}
    >
      <bdi>{workspace}</bdi>
    </Link>
  );
}
