import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../../api/client.ts';
import { serverNow } from '../../../api/clock.ts';
import { Select } from '../../../components/form/Field.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Pager } from '../../../components/pager/Pager.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { State } from '../../../components/state/State.tsx';
import type { Column } from '../../../components/table/columns.ts';
import { Table } from '../../../components/table/Table.tsx';
import { Ago } from '../../../components/time/Time.tsx';
import { count, counted } from '../../../format/number.ts';
import { NotForYou, usePart } from '../part.tsx';
import { LIST as CONNECTIONS, EVERY_MS, MOST, nameOf } from './connection.ts';
import { type EventsSearch, pageIn, queryOf, SIZE, timeOf } from './events.ts';
import { Parts } from './Parts.tsx';
import * as texts from './texts.ts';
import styles from './version-control.module.css';

const LIST = 'GET /organizations/{organization_name}/vcs-events';
const route = getRouteApi('/signed-in/$organization/settings/version-control/events');
const LEVELS = [
  ['', texts.allLevels],
  ['info', texts.info],
  ['error', texts.error],
] as const;
const PERIODS = [
  ['1', texts.lastDay],
  ['', texts.lastDays('10')],
  ['30', texts.lastDays('30')],
] as const;

type Event = Resources['vcs-events'];

/** Events of all repositories of an organization. */
export function EventsPart() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/settings/version-control/events' });
  const query = queryOf(search, serverNow());
  const { organization, path, may } = usePart(
    texts.events,
    (name) => workspaces.request(LIST, { path: { organization_name: name }, query }),
    (name) => `lockkeeper api GET organizations/${name}/vcs-events`,
    [{ label: texts.versionControl, to: '/version-control' }],
  );
  const manages = may?.['can-update-oauth'] ?? false;
  const reading = { enabled: manages, refetchInterval: EVERY_MS, placeholderData: keepPreviousData };
  const events = useQuery({ ...workspaces.query(LIST, { path, query }), ...reading });
  const clients = useQuery({
    ...workspaces.query(CONNECTIONS, { path, query: { 'page[size]': MOST } }),
    enabled: manages,
  });
  if (may && !manages) return <NotForYou needs="can-update-oauth" />;
  const change = (more: { readonly [Name in keyof EventsSearch]?: string | undefined }) =>
    void navigate({ search: () => given({ ...search, page: undefined, ...more }) });
  const names = (clients.data?.data ?? []).map((one) => [one.id, nameOf(one)] as const);
  return (
    <>
      <Parts organization={organization} />
      <Section title={texts.events}>
        <p className="soft">{texts.eventsOfThe}</p>
        <fieldset className={styles.filters}>
          <legend className="sr">{texts.filters}</legend>
          <Select
            label={texts.level}
            value={search.level ?? ''}
            options={LEVELS}
            onText={(level) => change({ level })}
          />
          <Select
            label={texts.connection}
            value={search.connection ?? ''}
            options={[['', texts.allOfThem], ...names]}
            onText={(connection) => change({ connection })}
          />
          <Select
            label={texts.period}
            value={search.days ?? ''}
            options={PERIODS}
            onText={(days) => change({ days })}
          />
        </fieldset>
        <QueryResult query={events} what={texts.theEvents}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <p className="soft">{texts.noEvents}</p>
            ) : (
              <>
                <Table
                  label={texts.events}
                  flush
                  twoLines
                  items={data}
                  keyOf={({ id }) => id}
                  columns={columnsOf(organization)}
                />
                <Pager
                  page={pageIn(search)}
                  size={SIZE}
                  total={meta.pagination['total-count'] ?? 0}
                  onPage={(page) => change({ page: String(page) })}
                />
              </>
            )
          }
        </QueryResult>
      </Section>
    </>
  );
}

/** Leaves out filters without a value. */
const given = (search: { readonly [Name in keyof EventsSearch]?: string | undefined }) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as EventsSearch;

const columnsOf = (organization: string): readonly Column<Event>[] => [
  {
    id: 'event',
    head: texts.event,
    isName: true,
    cell: ({ id, attributes }) => (
      <span className={styles.wraps}>
        <State {...(attributes.level === 'error' ? FAILED : DONE)}>
          <Link to="/$organization/vcs-events/$event" params={{ organization, event: id }}>
            <bdi>{attributes.message}</bdi>
          </Link>
        </State>
        {attributes['suggested-action'] && (
          <span className={styles.problem}>
            {' '}
            <bdi>{attributes['suggested-action']}</bdi>
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'when',
    head: texts.when,
    className: 'soft',
    cell: ({ attributes }) => <Ago time={timeOf(attributes['created-at'])} />,
  },
  {
    id: 'repository',
    head: texts.repository,
    cell: ({ attributes, relationships }) => (
      <Link
        className="link"
        to="/$organization/settings/version-control/repositories/$repository"
        params={{ organization, repository: relationships['vcs-repository'].data?.id ?? '' }}
      >
        <bdi>{attributes['repository-identifier']}</bdi>
      </Link>
    ),
  },
  {
    id: 'sender',
    head: texts.sender,
    className: 'soft',
    cell: ({ attributes }) => <bdi>{attributes['sender-name']}</bdi>,
  },
  {
    id: 'runs',
    head: texts.runs,
    isNumber: true,
    cell: ({ attributes }) =>
      texts.ofWorkspaces(count(attributes['run-count']), counted(attributes['verdict-count'], 'workspace')),
  },
  {
    id: 'changes',
    head: texts.showChanges,
    hideHead: true,
    cell: ({ attributes }) =>
      attributes['compare-url'] && (
        <a
          className="link"
          href={attributes['compare-url']}
          target="_blank"
          rel="noreferrer"
          aria-label={texts.changesOf(attributes['after-sha']?.slice(0, 7) ?? attributes.ref)}
        >
          {texts.showChanges}
        </a>
      ),
  },
];
const FAILED = { icon: 'err', is: 'bad' } as const;
const DONE = { icon: 'ok', is: 'good' } as const;
