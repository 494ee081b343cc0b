import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { NAME, VERDICTS, verdictColumns } from '../../components/vcs/columns.tsx';
import { EventName } from '../../components/vcs/EventName.tsx';
import { instantOf } from '../../components/vcs/instant.ts';
import type { VerdictOf } from '../../components/vcs/Verdict.tsx';
import { count } from '../../format/number.ts';
import { usePlace } from '../../shell/page.ts';
import { useWorkspace, type WorkspaceAnswer } from '../../shell/workspace.ts';
import { Explain } from './Explain.tsx';
import * as texts from './texts.ts';

const LIST = 'GET /workspaces/{workspace_id}/vcs-events';
const SIZE = 20;
const EVERY_MS = 10_000;
const route = getRouteApi('/signed-in/$organization/workspaces/$workspace/commits');

type Event = Resources['vcs-events'];

/** Pushes, tags and pull requests of the repository of a workspace, each with the reason why it started a run or not. */
export function CommitsPage() {
  const { organization, workspace, query } = useWorkspace();
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: workspace, to: `/${organization}/workspaces/${workspace}` },
    { label: texts.commits },
  ]);
  if (!query.data) return null;
  const { attributes } = query.data.data;
  if (attributes['vcs-repo'] === null) {
    const mayConnect = attributes.permissions['can-update'];
    return <NoRepository organization={organization} workspace={workspace} mayConnect={mayConnect} />;
  }
  return (
    <>
      <Events answer={query.data} organization={organization} />
      <Explain answer={query.data} organization={organization} />
    </>
  );
}

interface NoRepositoryProps {
  readonly organization: string;
  readonly workspace: string;
  readonly mayConnect: boolean;
}

function NoRepository({ mayConnect, ...params }: NoRepositoryProps) {
  return (
    <Empty
      title={texts.followsNone}
      action={
        mayConnect && (
          <Link
            className={buttonClass('primary')}
            to="/$organization/workspaces/$workspace/settings/version-control"
            params={params}
          >
            {texts.connectRepository}
          </Link>
        )
      }
    >
      {texts.aWorkspaceThat}
    </Empty>
  );
}

function Events({ answer, organization }: { readonly answer: WorkspaceAnswer; readonly organization: string }) {
  const { id, attributes } = answer.data;
  const { name, permissions } = attributes;
  const page = Math.max(1, Number.parseInt(route.useSearch().page ?? '1', 10) || 1);
  const navigate = useNavigate({ from: '/$organization/workspaces/$workspace/commits' });
  const input = {
    path: { workspace_id: id },
    query: { 'page[number]': String(page), 'page[size]': String(SIZE) },
  };
  const request = workspaces.request(LIST, input);
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const events = useQuery({
    ...workspaces.query(LIST, input),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const rowOf = ({ attributes: event, relationships }: Event) => ({
    ...{ organization, workspace: name, workspaceId: id },
    verdict: event.verdict as VerdictOf,
    run: relationships.run?.data?.id,
    mayApprove: permissions['can-queue-run'],
    pullRequest: event['pull-request-number'],
    commit: event['after-sha'],
  });
  return (
    <Section title={texts.events} note={texts.newestFirst}>
      <QueryResult query={events} what={texts.theEvents} missing={<code>can-read-settings</code>}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noEventsYet}</p>
          ) : (
            <>
              <Table<Event>
                label={texts.eventsOf(name)}
                flush
                twoLines
                className={VERDICTS}
                items={data}
                keyOf={(one) => one.id}
                columns={[
                  {
                    id: 'event',
                    head: texts.event,
                    isName: true,
                    className: NAME,
                    cell: ({ attributes: event }) => <EventName of={event} />,
                  },
                  ...verdictColumns(rowOf),
                  {
                    id: 'received',
                    head: texts.received,
                    isNumber: true,
                    className: 'soft',
                    cell: ({ id: eventId, attributes: event }) => (
                      <Link
                        className="link"
                        to="/$organization/vcs-events/$event"
                        params={{ organization, event: eventId }}
                      >
                        <Ago time={instantOf(event['created-at'])} /> {texts.ago}
                        {event['verdict-count'] > 1 && `, ${texts.allWorkspaces(count(event['verdict-count']))}`}
                      </Link>
                    ),
                  },
                ]}
              />
              <Pager
                page={page}
                size={SIZE}
                total={meta.pagination['total-count'] ?? data.length}
                onPage={(next) =>
                  void navigate({
                    search: (before) => ({ ...before, page: next === 1 ? undefined : String(next) }) as never,
                  })
                }
              />
            </>
          )
        }
      </QueryResult>
    </Section>
  );
}
