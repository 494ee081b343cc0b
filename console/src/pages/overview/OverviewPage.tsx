import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { Icon } from '../../components/icon/Icon.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Split } from '../../components/section/Section.tsx';
import { Ago, Until } from '../../components/time/Time.tsx';
import { counted } from '../../format/number.ts';
import { sessionQuery } from '../../session/session.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Aside } from './Aside.tsx';
import { GROUPS, type Need } from './need.ts';
import styles from './overview.module.css';
import { runsRequest } from './run-needs.tsx';
import * as texts from './texts.ts';
import { useNeeds } from './use-needs.ts';

/** Overview: list of everything that needs attention. */
export function OverviewPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { needs, query, organizations, others } = useNeeds(session);
  const [first] = organizations;
  usePlace([{ label: texts.overview }]);
  usePathLine({
    request: first ? runsRequest(first.attributes.name) : access.request('GET /auth/token/lookup-self', {}),
  });
  const hasSeveral = organizations.length > 1;
  return (
    <>
      <PageHead
        title={texts.overview}
        beside={needs.length > 0 && <span className="soft">{texts.itemsNeedAttention(needs.length)}</span>}
        lede={texts.runsLocksTokensCrls}
      />
      <Split aside={<Aside session={session} organizations={organizations} />}>
        {GROUPS.map(({ id, title, ...group }) => {
          const own = needs.filter((need) => need.group === id);
          if (own.length === 0) return null;
          return (
            <section key={id} className={styles.group} aria-label={title}>
              <div className={styles.head}>
                <h2>{title}</h2>
                <span className="soft">{'note' in group ? group.note : own.length}</span>
              </div>
              <ul className={styles.needs}>
                {own.map((need) => (
                  <Row key={need.key} need={need} hasSeveral={hasSeveral} />
                ))}
              </ul>
            </section>
          );
        })}
        {query ? (
          <QueryResult query={query} what={texts.theItemsThatNeedAttention}>
            {() => null}
          </QueryResult>
        ) : (
          needs.length === 0 && (
            <Empty
              title={texts.nothingToDo}
              command={first ? 'lockkeeper workspace list' : 'lockkeeper read sys/audit'}
            >
              {texts.noRunIsWaiting}
            </Empty>
          )
        )}
        {others > 0 && (
          <p className={styles.others}>
            {texts.onlyTheFirstOf(organizations.length, counted(organizations.length + others, texts.organization))}{' '}
            <Link className="link" to="/~organizations">
              {texts.showAllOrganizations}
            </Link>
          </p>
        )}
      </Split>
    </>
  );
}

function Row({ need, hasSeveral }: { readonly need: Need; readonly hasSeveral: boolean }) {
  const { group, icon, is, name, organization, say, time, to, action } = need;
  const title = hasSeveral && organization ? `${organization} / ${name}` : name;
  return (
    <li>
      <Icon name={icon} is={is} />
      <span className={styles.what} title={title}>
        {to ? <Link {...to}>{title}</Link> : title}
      </span>
      <span className={styles.say}>{say}</span>
      <span className={styles.since}>{time && (group === 'ends' ? <Until time={time} /> : <Ago time={time} />)}</span>
      {to && (
        <Link {...to} className={`link ${styles.action}`} aria-label={`${action}: ${title}`}>
          {action}
        </Link>
      )}
    </li>
  );
}
