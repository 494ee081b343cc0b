import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { send } from '../../api/request.ts';
import { holderOf } from '../../components/lock/holder.ts';
import { wordOf } from '../../components/state/run-status.ts';
import { State } from '../../components/state/State.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';
import type { Session } from '../../session/session.ts';
import { isDismissed } from '../../shell/dismissed.ts';
import styles from './overview.module.css';
import * as texts from './texts.ts';

const CAPACITY = 'GET /organizations/{organization_name}/capacity';

interface AsideProps {
  readonly session: Session;
  readonly organizations: readonly Resources['organizations'][];
}

/** Current activity and server status. */
export function Aside({ session, organizations }: AsideProps) {
  return (
    <>
      {organizations.map(({ id, attributes: { name } }) => (
        <Now key={id} organization={name} title={organizations.length > 1 ? texts.activityIn(name) : texts.activity} />
      ))}
      {organizations.map(({ id, attributes: { name } }) => (
        <Changes
          key={id}
          organization={name}
          title={organizations.length > 1 ? texts.lastChangesIn(name) : texts.lastChanges}
        />
      ))}
      <Server session={session} />
    </>
  );
}

function Now({ organization, title }: { readonly organization: string; readonly title: string }) {
  const path = { organization_name: organization };
  const capacity = useQuery({ ...workspaces.query(CAPACITY, { path }), refetchInterval: 10_000 });
  const all = useQuery(
    workspaces.query('GET /organizations/{organization_name}/workspaces', { path, query: { 'page[size]': '1' } }),
  );
  const { pending, running } = capacity.data?.data.attributes ?? {};
  const total = all.data?.meta.pagination['total-count'];
  return (
    <section>
      <h2>{title}</h2>
      <dl className={styles.figures}>
        <dt>{texts.runsInProgress}</dt>
        <dd>{running === undefined ? '–' : count(running)}</dd>
        <dt>{texts.queuedRuns}</dt>
        <dd>{pending === undefined ? '–' : count(pending)}</dd>
        <dt>{texts.workspaces}</dt>
        <dd>
          <Link className="link" to="/$organization/workspaces" params={{ organization }}>
            {total === undefined ? '–' : count(total)}
          </Link>
        </dd>
      </dl>
    </section>
  );
}

const CHANGED = {
  sort: '-latest-change-at',
  include: 'locked_by,current_run',
  'page[size]': '5',
} as const;

/** Workspaces that changed last, and what happened there. */
function Changes({ organization, title }: { readonly organization: string; readonly title: string }) {
  const path = { organization_name: organization };
  const changed = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/workspaces', { path, query: CHANGED }),
    refetchInterval: 10_000,
  });
  if (!changed.data || changed.data.data.length === 0) return null;
  const page = changed.data;
  return (
    <section>
      <h2>{title}</h2>
      <ul className={styles.changes} aria-label={texts.lastChanges}>
        {page.data.map((item) => (
          <li key={item.id}>
            <span className="soft">
              <Ago time={item.attributes['latest-change-at']} />
            </span>
            <p>
              <Link
                to="/$organization/workspaces/$workspace"
                params={{ organization, workspace: item.attributes.name }}
                className="link"
              >
                {item.attributes.name}
              </Link>
              : {whatHappened(item, page)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Describes the lock, else the latest run, else nothing more than a change. */
function whatHappened(item: Resources['workspaces'], page: Parameters<typeof related>[0]): string {
  const run = related(page, item.relationships['current-run']?.data, 'runs');
  if (item.attributes.locked && item.relationships['locked-by']?.data?.type !== 'runs')
    return texts.wasLockedBy(holderOf(item, page) ?? '');
  return run ? texts.hasARun(wordOf(run.attributes.status)) : texts.wasChanged;
}

interface Ready {
  readonly status?: string;
}

function Server({ session }: { readonly session: Session }) {
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => send({ method: 'GET', address: '/healthz/ready' }, signal) as Promise<Ready>,
    refetchInterval: 30_000,
  });
  return (
    <section>
      <h2>{texts.server}</h2>
      <dl className={styles.figures}>
        <dt>{texts.ready}</dt>
        <dd>
          {ready.isSuccess && (
            <State icon="ok" is="good">
              {texts.yes}
            </State>
          )}
          {ready.isError && (
            <State icon="warn" is="bad">
              {texts.no(ready.error.message)}
            </State>
          )}
        </dd>
        <dt>{texts.version}</dt>
        <dd>
          <code>{session.version}</code>
        </dd>
      </dl>
      {!isDismissed('guide') && (
        <p className={styles.guide}>
          <Link className="link" to="/~guide">
            {texts.firstSteps}
          </Link>
        </p>
      )}
    </section>
  );
}
