import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section, Split } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { CommitId, External } from '../../components/vcs/Commit.tsx';
import { NAME, VERDICTS, verdictColumns } from '../../components/vcs/columns.tsx';
import { placeOf } from '../../components/vcs/EventName.tsx';
import { instantOf } from '../../components/vcs/instant.ts';
import { count } from '../../format/number.ts';
import { exact } from '../../format/time.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Progress } from './Progress.tsx';
import * as texts from './texts.ts';

const SHOW = 'GET /vcs-events/{vcs_event_id}';
const VERDICTS_OF = 'GET /vcs-events/{vcs_event_id}/verdicts';
const SIZE = 50;
/** Polling interval while the server decides or runs are active, milliseconds. */
const EVERY_MS = 5_000;
const route = getRouteApi('/signed-in/$organization/vcs-events/$event');

type Event = Resources['vcs-events'];

/** One push, tag or pull request, with its runs in all workspaces. Statuses of commits at the provider lead here. */
export function EventPage() {
  const { organization, event: id } = route.useParams();
  const input = { path: { vcs_event_id: id } };
  const request = workspaces.request(SHOW, input);
  const event = useQuery({ ...workspaces.query(SHOW, input), refetchInterval: EVERY_MS });
  usePlace([
    { label: organization, to: `/${organization}/workspaces` },
    { label: texts.workspaces, to: `/${organization}/workspaces` },
    { label: event.data ? placeOf(event.data.data.attributes) : id },
  ]);
  usePathLine({ request, command: `lockkeeper api GET vcs-events/${id}` });
  return (
    <QueryResult query={event} what={texts.theEvent} missing={<code>can-read-settings</code>} isPage>
      {({ data }) => <EventView event={data} organization={organization} />}
    </QueryResult>
  );
}

function EventView({ event, organization }: { readonly event: Event; readonly organization: string }) {
  const { attributes } = event;
  return (
    <>
      <PageHead
        title={texts.pushTo(placeOf(attributes), attributes['repository-identifier'])}
        lede={
          <span role="status">
            {attributes.state === 'waiting'
              ? texts.waiting
              : texts.runsOf(count(attributes['run-count']), count(attributes['verdict-count']))}
          </span>
        }
      />
      {attributes.state === 'failed' && (
        <Banner is="bad" icon="warn">
          <bdi>{texts.failed(attributes['suggested-action'] ?? '')}</bdi>
        </Banner>
      )}
      <Split aside={<EventFacts event={event} />}>
        <Results event={event} organization={organization} />
      </Split>
    </>
  );
}

function EventFacts({ event: { id, attributes } }: { readonly event: Event }) {
  const { 'after-sha': after, 'before-sha': before, 'compare-url': compare } = attributes;
  return (
    <section>
      <h2>{texts.details}</h2>
      <Facts
        of={[
          [texts.repository, <bdi key="repository">{attributes['repository-identifier']}</bdi>],
          [texts.commit, after && <CommitId key="after" id={after} />],
          [texts.before, before && <CommitId key="before" id={before} />],
          [texts.sender, attributes['sender-name'] && <bdi key="sender">{attributes['sender-name']}</bdi>],
          [texts.received, exact(instantOf(attributes['created-at']))],
          [texts.eventId, <Copyable key="id" text={id} what={texts.eventId} />],
          [texts.compare, compare && <External to={compare}>{texts.openChanges}</External>],
        ]}
      />
    </section>
  );
}

function Results({ event, organization }: { readonly event: Event; readonly organization: string }) {
  const page = Math.max(1, Number.parseInt(route.useSearch().page ?? '1', 10) || 1);
  const navigate = useNavigate({ from: '/$organization/vcs-events/$event' });
  const verdicts = useQuery({
    ...workspaces.query(VERDICTS_OF, {
      path: { vcs_event_id: event.id },
      query: { 'page[number]': String(page), 'page[size]': String(SIZE) },
    }),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={texts.results} note={texts.runsFirst}>
      <QueryResult query={verdicts} what={texts.theResults}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noWorkspaces}</p>
          ) : (
            <>
              <Verdicts of={data} event={event} organization={organization} />
              <Pager
                page={page}
                size={SIZE}
                total={meta.pagination['total-count'] ?? data.length}
                onPage={(next) => void navigate({ search: next === 1 ? {} : { page: String(next) } })}
              />
            </>
          )
        }
      </QueryResult>
    </Section>
  );
}

type Verdict = Resources['vcs-verdicts'];

interface VerdictsProps {
  readonly of: readonly Verdict[];
  readonly event: Event;
  readonly organization: string;
}

function Verdicts({ of, event: { attributes: event }, organization }: VerdictsProps) {
  const rowOf = ({ attributes, relationships }: Verdict) => ({
    ...{ verdict: attributes, organization, workspace: attributes['workspace-name'] },
    workspaceId: relationships.workspace.data?.id ?? '',
    run: relationships.run.data?.id,
    mayApprove: attributes['can-approve'],
    pullRequest: event['pull-request-number'],
    commit: event['after-sha'],
  });
  return (
    <Table<Verdict>
      label={texts.resultsOf}
      flush
      twoLines
      className={VERDICTS}
      items={of}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'workspace',
          head: texts.workspace,
          isName: true,
          className: NAME,
          cell: ({ attributes }) => (
            <Link
              to="/$organization/workspaces/$workspace/commits"
              params={{ organization, workspace: attributes['workspace-name'] }}
            >
              <bdi>{attributes['workspace-name']}</bdi>
            </Link>
          ),
        },
        ...verdictColumns(rowOf),
        { id: 'progress', head: texts.progress, cell: ({ attributes }) => <Progress of={attributes} /> },
      ]}
    />
  );
}
