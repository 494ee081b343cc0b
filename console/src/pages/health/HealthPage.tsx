import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import { Chips, CountChip } from '../../components/chip/Chip.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section, Split } from '../../components/section/Section.tsx';
import { bytes, count } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Documents } from './Documents.tsx';
import { latest, SPANS } from './figures.ts';
import styles from './health.module.css';
import { Pictures } from './Pictures.tsx';
import { Ready } from './Ready.tsx';
import * as texts from './texts.ts';

const HEALTH = 'GET /sys/health';
const FIGURES = 'GET /sys/figures';
/** Polling intervals. Health requests are not audited; a point of the metrics covers a minute. */
const HEALTH_MS = 10_000;
const FIGURES_MS = 60_000;

const route = getRouteApi('/signed-in/~server/health');

/** Health of the server, now and in recent hours. */
export function HealthPage() {
  const { last } = route.useSearch();
  const navigate = useNavigate({ from: '/~server/health' });
  const span = SPANS.find(({ name }) => name === last) ?? SPANS[0];
  const query = { step: span.step };
  // Always returns 200; the body lists what fails.
  const health = useQuery({ ...access.query(HEALTH, { query: { sealedcode: 200 } }), refetchInterval: HEALTH_MS });
  const seal = useQuery({ ...access.query('GET /sys/seal-status', {}), staleTime: FIGURES_MS });
  const figures = useQuery({ ...access.query(FIGURES, { query }), refetchInterval: FIGURES_MS });
  usePlace([{ label: texts.server }, { label: texts.health }]);
  usePathLine({
    request: access.request(FIGURES, { query }),
    command: `lockkeeper read sys/figures step=${span.step}`,
  });
  const points = figures.data?.data.points.slice(-span.points) ?? [];
  return (
    <>
      <PageHead
        title={texts.health}
        beside={figures.data && <span className="soft">{texts.node(figures.data.data.node)}</span>}
      />
      <QueryResult query={health} what={texts.health}>
        {(data) => <Ready failing={data.failing ?? []} audit={data.audit} />}
      </QueryResult>
      <Split
        aside={
          <>
            <section>
              <h2>{texts.currentValues}</h2>
              <Facts
                of={[
                  [texts.version, health.data?.version.split('+lockkeeper.')[1]],
                  [texts.storage, seal.data && (seal.data.storage_type === 'postgres' ? 'PostgreSQL' : 'SQLite')],
                  [texts.database, now(latest(points, 'database_bytes'), bytes)],
                  [texts.databaseLatency, now(latest(points, 'database_ms'), (ms) => texts.ms(ms))],
                  [texts.connections, now(latest(points, 'connections'), count)],
                  [texts.cluster, health.data && <code key="id">{health.data.cluster_id}</code>],
                ]}
              />
            </section>
            <Documents />
          </>
        }
      >
        <Section
          title={texts.history}
          note={texts.inUtc}
          end={
            <Chips label={texts.period}>
              {SPANS.map(({ name, label, each }) => (
                <CountChip
                  key={name}
                  label={label}
                  count={each}
                  on={span.name === name}
                  onToggle={() => void navigate({ search: name === SPANS[0].name ? {} : { last: name } })}
                />
              ))}
            </Chips>
          }
        >
          <QueryResult query={figures} what={texts.metrics} missing={<code>read on sys/figures</code>}>
            {() =>
              points.length === 0 ? (
                <Empty title={texts.noMetricsYet}>{texts.theFirstValuesAppear}</Empty>
              ) : (
                <div className={styles.pictures}>
                  <Pictures points={points} room={span.points} stepMs={span.step * 60_000} />
                </div>
              )
            }
          </QueryResult>
        </Section>
      </Split>
    </>
  );
}

const now = (value: number | undefined, format: (value: number) => string): string | undefined =>
  value === undefined ? undefined : format(value);
